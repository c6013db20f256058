/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.kit;

import java.util.List;
import java.util.Locale;

/** Median and range of some measurements. Immutable. */
public record Summary(double median, double min, double max, int count) {
  /** Of at least one value. */
  public static Summary of(List<Double> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("nothing measured");
    }
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Summary(median, sorted[0], sorted[sorted.length - 1], sorted.length);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "median %.1f (min %.1f, max %.1f, %d runs)", median, min, max, count);
  }
}
