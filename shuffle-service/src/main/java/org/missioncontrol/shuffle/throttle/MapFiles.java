/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import java.io.IOException;
import org.missioncontrol.transport.linux.PassedFile;

/** Opens this host's map outputs for tasks of the jobs that made them. Thread-safe. */
public interface MapFiles {
  /**
   * Opens one partition of a map output. Blocks on the disk.
   *
   * @param attempt map attempt, as the task named it
   * @throws IOException if it cannot be opened; its message is fit for the task
   */
  MapFile open(String job, String attempt, int reduce) throws IOException;

  /**
   * An open file. Owned by whoever opened it, who closes it.
   *
   * @param file open where the partition begins
   * @param partLength bytes of the partition
   * @param rawLength bytes of it after decompression
   */
  record MapFile(PassedFile file, long partLength, long rawLength) {}
}
