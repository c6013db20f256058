/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.policy;

import java.util.Arrays;
import java.util.List;

/**
 * Each active job weighs twice the next one that arrived after it: {@code weight = 2^-k}, where k
 * is the number of active jobs that arrived earlier. From the Mission Control thesis, table of
 * weight assignment policies: "Jobs are assigned weights on the basis of their arrival time"; the
 * first of two gets 7 of 10 flows, the second 3.
 *
 * <p>The ratio of two jobs does not change with a third that comes after them, so a newcomer takes
 * from all alike. Nobody starves: where the weight of a late job comes to less than one flow,
 * weighted max-min still gives it one. A job without demand counts as if it were to wake up now,
 * and is not counted by the others. What jobs want to weigh plays no part, lest a late one
 * overtake. Immutable.
 */
final class FifoPolicy implements SharePolicy {
  /** So that a float holds the weight; the shares are one flow each long before. */
  private static final int LAST_RANK = 100;

  @Override
  public String name() {
    return "fifo";
  }

  @Override
  public float[] weights(List<TransferFacts> transfers) {
    Arrival[] active =
        transfers.stream()
            .filter(TransferFacts::active)
            .map(TransferFacts::arrival)
            .sorted()
            .toArray(Arrival[]::new);
    return Weights.ofEach(
        transfers, transfer -> Math.scalb(1.0, -rank(active, transfer.arrival())));
  }

  private static int rank(Arrival[] earliestFirst, Arrival arrival) {
    int place = Arrays.binarySearch(earliestFirst, arrival);
    return Math.min(place < 0 ? -place - 1 : place, LAST_RANK);
  }
}
