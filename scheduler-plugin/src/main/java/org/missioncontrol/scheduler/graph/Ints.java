/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.graph;

import java.util.Arrays;

/** A list of numbers that grows. Owned by whoever made it. */
final class Ints {
  private int[] values = {};
  private int size;

  /** So many numbers; the array is not copied. */
  static Ints of(int[] values) {
    Ints ints = new Ints();
    ints.values = values;
    ints.size = values.length;
    return ints;
  }

  void add(int value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, Math.max(4, 2 * size));
    }
    values[size++] = value;
  }

  int size() {
    return size;
  }

  int get(int index) {
    if (index >= size) {
      throw new IndexOutOfBoundsException(index + " of " + size);
    }
    return values[index];
  }

  int[] toArray() {
    return Arrays.copyOf(values, size);
  }
}
