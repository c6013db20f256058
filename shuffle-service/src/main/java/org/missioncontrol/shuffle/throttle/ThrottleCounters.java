/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** The values. Thread-safe. */
final class ThrottleCounters {
  private final Map<ThrottleCounter, LongAdder> values = new EnumMap<>(ThrottleCounter.class);

  ThrottleCounters() {
    for (ThrottleCounter counter : ThrottleCounter.values()) {
      values.put(counter, new LongAdder());
    }
  }

  void count(ThrottleCounter counter) {
    add(counter, 1);
  }

  void add(ThrottleCounter counter, long amount) {
    adder(counter).add(amount);
  }

  long value(ThrottleCounter counter) {
    return adder(counter).sum();
  }

  private LongAdder adder(ThrottleCounter counter) {
    LongAdder adder = values.get(counter);
    if (adder == null) {
      throw new IllegalArgumentException("no such counter: " + counter);
    }
    return adder;
  }
}
