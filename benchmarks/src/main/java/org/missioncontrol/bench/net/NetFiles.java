/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.net;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.missioncontrol.bench.kit.CannotRunException;

/** Finds what lies in {@code benchmarks/net}. Immutable. */
final class NetFiles {
  /** From the checkout, and from the module, where tests run. */
  private static final List<String> PLACES = List.of("benchmarks/net", "net");

  private NetFiles() {}

  /** The file by its path below that directory. */
  static Path find(String relative) throws CannotRunException {
    for (String place : PLACES) {
      Path file = Path.of(place, relative).toAbsolutePath();
      if (Files.isRegularFile(file)) {
        return file;
      }
    }
    throw new CannotRunException(
        "benchmarks/net/" + relative + " is not below the current directory");
  }
}
