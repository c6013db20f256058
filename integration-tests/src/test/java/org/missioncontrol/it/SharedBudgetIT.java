/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.missioncontrol.bench.cluster.NodeSpec;
import org.missioncontrol.bench.jobs.SortJob;

/** Jobs beside each other on one NodeManager. */
class SharedBudgetIT {
  private static final int BUDGET = 3;

  private static HeldShuffle shuffle;

  @BeforeAll
  static void start() throws Exception {
    shuffle =
        HeldShuffle.on(
            Sorts.workDirectory(SharedBudgetIT.class),
            NodeSpec.ours().with("mission-control.flows.per-host", "" + BUDGET));
  }

  @AfterAll
  static void end() throws Exception {
    if (shuffle != null) {
      shuffle.close();
    }
  }

  @Test
  void twoOfOursShareTheBudgetAndAStockJobRunsBesideThem() throws Exception {
    SortJob sort = SortJob.of(2, 2, 4_000_000);
    List<Sorts.Running> jobs =
        shuffle.begin(List.of(sort.onMissionControl(), sort.onMissionControl(), sort));
    Sorts.Running first = jobs.get(0);
    Sorts.Running second = jobs.get(1);
    Sorts.Running stock = jobs.get(2);

    List<HostStatus> held =
        HostStatus.watch(
            shuffle.cluster(),
            HeldShuffle.REDUCES,
            "both jobs with two reducers each to hold their share of " + BUDGET + " flows",
            Sorts.LIMIT,
            status ->
                status != null
                    && status.job(first.id()).path("demand").asInt() == 2
                    && status.job(second.id()).path("demand").asInt() == 2
                    && status.flows(first.id()) >= 1
                    && status.flows(second.id()) >= 1
                    && status.inUse() == BUDGET);
    shuffle.release();
    List<HostStatus> seen =
        HostStatus.watch(
            shuffle.cluster(),
            HeldShuffle.REDUCES,
            "the end of both jobs",
            Sorts.LIMIT,
            status -> first.job().job().isComplete() && second.job().job().isComplete());

    first.job().awaitSuccess(Sorts.LIMIT);
    second.job().awaitSuccess(Sorts.LIMIT);
    stock.job().awaitSuccess(Sorts.LIMIT);
    assertThat(held).allSatisfy(status -> assertThat(status.inUse()).isBetween(0, BUDGET));
    assertThat(seen).allSatisfy(status -> assertThat(status.inUse()).isBetween(0, BUDGET));
    Sorts.assertAllLeased(first);
    Sorts.assertAllLeased(second);
    assertThat(shuffle.sorts().digests(first)).isEqualTo(shuffle.sorts().digests(stock));
    HostStatus.awaitWholeBudget(shuffle.cluster());
  }
}
