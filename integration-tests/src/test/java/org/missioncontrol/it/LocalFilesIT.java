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
import java.util.SortedMap;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.missioncontrol.bench.cluster.Await;
import org.missioncontrol.bench.cluster.LocalCluster;
import org.missioncontrol.bench.cluster.NodeSpec;
import org.missioncontrol.bench.jobs.SortJob;

/** Reducers beside their maps read files that the NodeManager passes. */
class LocalFilesIT {
  private static final int MAPS = 12;
  private static final int REDUCES = 2;
  private static final SortJob SORT = SortJob.of(MAPS, REDUCES, 200_000);

  private static LocalCluster cluster;
  private static Sorts sorts;
  private static SortedMap<String, String> expected;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        LocalCluster.in(Sorts.workDirectory(LocalFilesIT.class))
            .node(NodeSpec.ours().withRecovery())
            .start();
    sorts = new Sorts(cluster);
    expected = sorts.digests(sorts.run(SORT));
  }

  @AfterAll
  static void end() throws Exception {
    if (cluster != null) {
      Sorts.end(cluster);
    }
  }

  @Test
  void everyByteComesFromFilesAndTheOutputIsThatOfStocksReducer() throws Exception {
    long before = passed();
    Sorts.Running run =
        sorts.run(SORT.onMissionControl().with("mapreduce.mission-control.encryption", "required"));
    assertThat(sorts.digests(run)).isEqualTo(expected);
    assertThat(Sorts.ours(run, "LOCAL_BYTES"))
        .isPositive()
        .isEqualTo(run.job().counter(TaskCounter.REDUCE_SHUFFLE_BYTES));
    assertThat(Sorts.ours(run, "LOCAL_OUTPUTS")).isEqualTo(MAPS * REDUCES);
    assertThat(Sorts.ours(run, "LOCAL_FALLBACKS")).isZero();
    assertThat(Sorts.ours(run, "LEASED_FLOWS")).isZero();
    assertThat(passed() - before).isEqualTo(MAPS * REDUCES);
  }

  @Test
  void withTheKeyOffEveryByteComesOverLeasedFlows() throws Exception {
    Sorts.Running run = sorts.run(SORT.onMissionControl().with(Sorts.LOCAL_FILES, false));
    assertThat(sorts.digests(run)).isEqualTo(expected);
    assertThat(Sorts.ours(run, "LOCAL_BYTES")).isZero();
    Sorts.assertAllLeased(run);
  }

  @Test
  void nodeManagerThatIsKilledAndStartedAgainLosesNothing() throws Exception {
    Path gate = cluster.workDirectory().resolve("gate");
    Sorts.Running run = sorts.submit(SORT.onMissionControl().holdingMapsFrom(MAPS - 2, gate));
    Await.until(
        "files to be passed",
        Sorts.LIMIT,
        () -> run.job().job().reduceProgress() > 0,
        cluster::tails);
    cluster.kill9(0);
    Files.createFile(gate);
    cluster.restart(0);
    run.job().awaitSuccess(Sorts.LIMIT);
    assertThat(sorts.digests(run)).isEqualTo(expected);
    assertThat(Sorts.ours(run, "LOCAL_BYTES")).isPositive();
    HostStatus.awaitWholeBudget(cluster);
  }

  private static long passed() throws Exception {
    return HostStatus.of(cluster, 0).orElseThrow().json().at("/counters/DoorFilesPassed").asLong();
  }
}
