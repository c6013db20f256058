/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.net;

import java.io.IOException;
import java.nio.file.Path;

/**
 * DCTCP for the length of a run, by {@code benchmarks/net/dctcp/dctcp}: what was there before
 * stays. Owned by one thread.
 *
 * @param script that brings it
 * @param there whether sockets can have it
 * @param ours whether it goes at the end
 */
public record Dctcp(Path script, boolean there, boolean ours) implements AutoCloseable {
  /** Brings it if it is not there and can be had. */
  public static Dctcp up() throws IOException, InterruptedException {
    Path script = NetFiles.find("dctcp/dctcp");
    boolean before = run(script, "status") == 0;
    boolean now = before || run(script, "up") == 0;
    return new Dctcp(script, now, now && !before);
  }

  private static int run(Path script, String word) throws IOException, InterruptedException {
    return new ProcessBuilder(script.toString(), word)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  @Override
  public void close() throws IOException {
    if (ours) {
      try {
        run(script, "down");
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
