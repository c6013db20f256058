/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.kit;

import java.util.Locale;

/** Says what is being done, with the seconds since the first word. Thread-safe. */
public final class Progress {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final long BEGUN = System.nanoTime();

  private Progress() {}

  /** Prints a line. */
  public static void say(String what) {
    System.out.printf(
        Locale.ROOT, "[%3.0f s] %s%n", (System.nanoTime() - BEGUN) / NANOS_PER_SECOND, what);
  }
}
