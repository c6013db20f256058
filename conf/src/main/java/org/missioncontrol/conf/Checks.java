/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.conf;

/** Range checks whose message names the key and the value. Immutable. */
final class Checks {
  private Checks() {}

  static long atLeast(String key, long min, long value) {
    if (value < min) {
      throw new IllegalArgumentException(key + " < " + min + ": " + value);
    }
    return value;
  }

  static int atLeast(String key, int min, int value) {
    return (int) atLeast(key, (long) min, value);
  }

  static float positive(String key, float value) {
    if (!(value > 0) || Float.isInfinite(value)) {
      throw new IllegalArgumentException(key + " is not a positive number: " + value);
    }
    return value;
  }
}
