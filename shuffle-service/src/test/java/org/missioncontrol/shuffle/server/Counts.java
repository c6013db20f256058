/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import java.util.EnumMap;
import java.util.Map;

/** Remembers what was counted. */
final class Counts implements ServerEvents {
  private final Map<ServerCounter, Long> counts = new EnumMap<>(ServerCounter.class);

  @Override
  public synchronized void count(ServerCounter counter, long amount) {
    counts.merge(counter, amount, Long::sum);
  }

  synchronized long of(ServerCounter counter) {
    return counts.getOrDefault(counter, 0L);
  }
}
