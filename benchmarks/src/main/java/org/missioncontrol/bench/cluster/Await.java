/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;

/** Waits for conditions, never for durations. Immutable. */
public final class Await {
  private static final long POLL_MS = 50;

  private Await() {}

  /** Something that becomes true. */
  @FunctionalInterface
  public interface Condition {
    /** True when the wait is over; called from the waiting thread. */
    boolean holds() throws IOException, InterruptedException;
  }

  /**
   * Returns when the condition holds.
   *
   * @param what the condition in words
   * @param details asked on time-out only, for the exception's message
   * @throws IOException when the deadline passes first
   */
  public static void until(
      String what, Duration limit, Condition condition, Supplier<String> details)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() - deadline > 0) {
        throw new IOException(
            "waited " + limit.toSeconds() + " s in vain for " + what + "\n" + details.get());
      }
      Thread.sleep(POLL_MS);
    }
  }
}
