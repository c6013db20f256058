/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.jobs;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.util.Progressable;

/** Holds a task until a file exists on the local disk that all of a cluster shares. Immutable. */
final class Gate {
  private static final long POLL_MS = 50;

  private Gate() {}

  static void awaitFile(Path file, Progressable task) throws InterruptedException {
    while (!Files.exists(file)) {
      task.progress();
      Thread.sleep(POLL_MS);
    }
  }
}
