/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.store;

import java.io.IOException;
import org.missioncontrol.shuffle.store.MapOutput.Segment;
import org.missioncontrol.shuffle.wire.MapOutputHeader.Failure;
import org.missioncontrol.transport.linux.PassedFile;

/**
 * One partition of a map output in a file that another process is to read. Owned by whoever opened
 * it, who closes the file.
 *
 * @param file open for reading where the partition begins
 */
public record PassableOutput(PassedFile file, Segment segment) {
  /**
   * Opens it with the checks of {@link MapOutputStore#open}. Blocks on the disk.
   *
   * @throws MapOutputException if it cannot be passed, saying why
   */
  public static PassableOutput open(
      MapOutputStore store, String job, String user, String attempt, int reduce)
      throws MapOutputException {
    try (MapOutput output = store.open(job, user, attempt, reduce, reduce)) {
      PassedFile file = PassedFile.open(output.path(), output.offset());
      try {
        SecureFiles.check(file, user);
      } catch (IOException e) {
        file.close();
        throw e;
      }
      return new PassableOutput(file, output.segments().get(0));
    } catch (MapOutputException e) {
      throw e;
    } catch (IOException e) {
      throw new MapOutputException(
          Failure.UNREADABLE, "Map output " + attempt + " cannot be passed", e);
    }
  }
}
