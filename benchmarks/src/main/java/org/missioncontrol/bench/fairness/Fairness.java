/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.fairness;

import java.util.Arrays;

/** Figures of shares. Immutable. */
final class Fairness {
  private Fairness() {}

  /**
   * Jain's index of what each has by its weight: 1 if all have the same, 1/n if one has all (Jain,
   * Chiu, Hawe, <i>A Quantitative Measure of Fairness</i>, DEC TR-301, 1984).
   */
  static double jain(double[] has, double[] weights) {
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < has.length; i++) {
      double byWeight = has[i] / weights[i];
      sum += byWeight;
      squares += byWeight * byWeight;
    }
    return squares == 0 ? 0 : sum * sum / (has.length * squares);
  }

  /**
   * Greatest distance of a job's part from the part that its weight gives it, relative to the
   * latter.
   */
  static double shareError(double[] has, double[] weights) {
    double all = Arrays.stream(has).sum();
    double allWeights = Arrays.stream(weights).sum();
    double worst = 0;
    for (int i = 0; i < has.length; i++) {
      double due = all * weights[i] / allWeights;
      worst = Math.max(worst, Math.abs(has[i] - due) / due);
    }
    return worst;
  }
}
