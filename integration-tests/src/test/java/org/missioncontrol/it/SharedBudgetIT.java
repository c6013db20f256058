/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.missioncontrol.bench.cluster.LocalCluster;
import org.missioncontrol.bench.cluster.NodeSpec;
import org.missioncontrol.bench.jobs.SortJob;

/** Jobs beside each other on one NodeManager. */
class SharedBudgetIT {
  private static final int BUDGET = 3;

  private static LocalCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        LocalCluster.in(Sorts.workDirectory(SharedBudgetIT.class))
            .node(
                NodeSpec.ours()
                    .with("mission-control.flows.per-host", "" + BUDGET)
                    .withMemoryMb(16_384))
            .start();
  }

  @AfterAll
  static void end() throws Exception {
    if (cluster != null) {
      Sorts.end(cluster);
    }
  }

  @Test
  void twoOfOursShareTheBudgetAndAStockJobRunsBesideThem() throws Exception {
    Path gate = cluster.workDirectory().resolve("gate");
    Sorts sorts = new Sorts(cluster);
    SortJob sort = SortJob.of(4, 2, 24_000_000).holdingMapsFrom(0, gate);
    Sorts.Running first = sorts.submit(sort.onMissionControl());
    Sorts.Running second = sorts.submit(sort.onMissionControl());
    Sorts.Running stock = sorts.submit(sort);
    awaitAtTheDoor(first);
    awaitAtTheDoor(second);
    Files.createFile(gate);

    List<HostStatus> seen =
        HostStatus.watch(
            cluster,
            0,
            "the end of both jobs",
            Sorts.LIMIT,
            status -> first.job().job().isComplete() && second.job().job().isComplete());

    first.job().awaitSuccess(Sorts.LIMIT);
    second.job().awaitSuccess(Sorts.LIMIT);
    stock.job().awaitSuccess(Sorts.LIMIT);
    assertThat(seen).allSatisfy(status -> assertThat(status.inUse()).isBetween(0, BUDGET));
    assertThat(seen)
        .as("a moment when both jobs are in the books with their shares")
        .anyMatch(
            status ->
                status.job(first.id()).path("announced").asBoolean()
                    && status.job(second.id()).path("announced").asBoolean());
    Sorts.assertAllLeased(first);
    Sorts.assertAllLeased(second);
    assertThat(sorts.digests(first)).isEqualTo(sorts.digests(stock));
    HostStatus.awaitWholeBudget(cluster);
  }

  private static void awaitAtTheDoor(Sorts.Running run) throws Exception {
    HostStatus.watch(
        cluster,
        0,
        run.id() + " at the door, announced by its ApplicationMaster",
        Sorts.LIMIT,
        status -> status != null && status.job(run.id()).path("announced").asBoolean());
  }
}
