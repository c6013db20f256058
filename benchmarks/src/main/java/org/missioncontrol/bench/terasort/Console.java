/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.terasort;

import java.util.Locale;

/** Prints progress with the seconds since the start. Thread-safe. */
final class Console {
  private static final double NANOS_PER_SECOND = 1e9;
  private final long start = System.nanoTime();

  void say(String text) {
    System.out.printf(
        Locale.ROOT, "[%5.0f s] %s%n", (System.nanoTime() - start) / NANOS_PER_SECOND, text);
  }

  void table(String text) {
    System.out.println(text);
  }
}
