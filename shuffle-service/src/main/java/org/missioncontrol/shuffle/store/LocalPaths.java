/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.store;

import java.io.IOException;
import java.nio.file.Path;

/** Finds files in the NodeManager's good local directories. Thread-safe, may block. */
@FunctionalInterface
public interface LocalPaths {
  /**
   * Where {@code relative} lies.
   *
   * @param relative path below a local directory
   * @throws IOException if no good local directory has it
   */
  Path find(String relative) throws IOException;
}
