/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.policy;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** Weights of transfers one by one, kept within what a float holds. Immutable. */
final class Weights {
  private static final double LEAST = Float.MIN_NORMAL;
  private static final double MOST = Float.MAX_VALUE;

  private Weights() {}

  static float[] ofEach(List<TransferFacts> transfers, ToDoubleFunction<TransferFacts> weight) {
    float[] weights = new float[transfers.size()];
    int i = 0;
    for (TransferFacts transfer : transfers) {
      weights[i++] = inRange(weight.applyAsDouble(transfer));
    }
    return weights;
  }

  static float inRange(double weight) {
    return (float) Math.max(LEAST, Math.min(weight, MOST));
  }
}
