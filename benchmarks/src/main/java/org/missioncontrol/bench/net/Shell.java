/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.net;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs short commands. Immutable. */
final class Shell {
  private static final int PATIENCE_SECONDS = 30;

  private Shell() {}

  /** What the command printed; fails with what it said when it failed. */
  static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException(String.join(" ", command) + " does not end");
    }
    if (process.exitValue() != 0) {
      throw new IOException(String.join(" ", command) + ": " + said.trim());
    }
    return said;
  }

  /** The words of a line, which must not need quotes. */
  static String line(String words) throws IOException, InterruptedException {
    return run(List.of(words.split(" ", -1)).toArray(String[]::new));
  }
}
