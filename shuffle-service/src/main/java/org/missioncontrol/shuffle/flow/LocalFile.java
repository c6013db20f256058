/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.flow;

import java.io.IOException;
import org.missioncontrol.transport.linux.PassedFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What became of one output that was asked for. */
public sealed interface LocalFile {
  /** Map attempt whose output it is. */
  String attempt();

  /** Gives back what is held for an output that is not read, or not any more. */
  default void discard() {}

  /**
   * It can be read. Owned by whoever gets it, who closes the file.
   *
   * @param file open where the partition begins
   * @param partLength bytes of the partition
   * @param rawLength bytes of it after decompression
   */
  record Opened(String attempt, PassedFile file, long partLength, long rawLength)
      implements LocalFile {
    private static final Logger LOG = LoggerFactory.getLogger(LocalFile.class);

    @Override
    public void discard() {
      try {
        file.close();
      } catch (IOException e) {
        LOG.warn("cannot close the output of {}", attempt, e);
      }
    }
  }

  /** The NodeManager does not pass it. Immutable. */
  record Refused(String attempt, String reason) implements LocalFile {}
}
