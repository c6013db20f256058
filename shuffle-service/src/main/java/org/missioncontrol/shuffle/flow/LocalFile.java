/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.flow;

import org.missioncontrol.transport.linux.PassedFile;

/** What became of one output that was asked for. */
public sealed interface LocalFile {
  /** Map attempt whose output it is. */
  String attempt();

  /**
   * It can be read. Owned by whoever gets it, who closes the file.
   *
   * @param file open where the partition begins
   * @param partLength bytes of the partition
   * @param rawLength bytes of it after decompression
   */
  record Opened(String attempt, PassedFile file, long partLength, long rawLength)
      implements LocalFile {}

  /** The NodeManager does not pass it. Immutable. */
  record Refused(String attempt, String reason) implements LocalFile {}
}
