/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.sort;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One shuffle. Immutable.
 *
 * @param seconds from its start to the last byte of the last reducer
 * @param flowRates of each flow that was there in the middle, bytes a second
 * @param looks at the queues of the switches
 */
record SortRun(double seconds, List<Double> flowRates, List<Look> looks) {
  private static final double P95 = 0.95;

  /** The queues at a moment: milliseconds since the start, bytes by port. */
  record Look(long ms, Map<String, Long> bytes) {
    long longest() {
      return bytes.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }
  }

  /** Jain's index of the flows' rates (Jain, Chiu, Hawe 1984): 1 when all are equal. */
  double jain() {
    double sum = flowRates.stream().mapToDouble(Double::doubleValue).sum();
    double squares = flowRates.stream().mapToDouble(rate -> rate * rate).sum();
    return squares == 0 ? Double.NaN : sum * sum / (flowRates.size() * squares);
  }

  /** 95th percentile of the longest queue of all ports, bytes. */
  double queueP95() {
    List<Long> sorted = new ArrayList<>(looks.stream().map(Look::longest).sorted().toList());
    return sorted.isEmpty()
        ? Double.NaN
        : sorted.get((int) Math.min(sorted.size() - 1L, (long) (sorted.size() * P95)));
  }

  double[] times() {
    return doubles(looks.stream().map(look -> look.ms() / 1e3));
  }

  double[] longestKilobytes() {
    return doubles(looks.stream().map(look -> look.longest() / 1e3));
  }

  private static double[] doubles(Stream<Double> numbers) {
    return numbers.mapToDouble(Double::doubleValue).toArray();
  }
}
