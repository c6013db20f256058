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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.missioncontrol.bench.cluster.ContainerKind;
import org.missioncontrol.bench.cluster.LocalCluster;
import org.missioncontrol.bench.cluster.NodeSpec;
import org.missioncontrol.bench.jobs.SortJob;

/**
 * Any process dies of SIGKILL during the shuffle; the job succeeds and the budget is whole again.
 */
class KilledProcessesIT {
  private static final SortJob SORT = SortJob.of(8, 2, 16_000_000).with(Sorts.LOCAL_FILES, false);

  private static LocalCluster cluster;
  private static Sorts sorts;
  private static SortedMap<String, String> expected;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        LocalCluster.in(Sorts.workDirectory(KilledProcessesIT.class))
            .nodes(2, NodeSpec.ours().withRecovery())
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
  void aReducer() throws Exception {
    Path gate = gate("reducer");
    Sorts.Running run = startAndAwaitLeases(gate);
    ProcessHandle reducer = run.job().awaitContainer(ContainerKind.REDUCE, Sorts.LIMIT);
    assertThat(reducer.destroyForcibly()).isTrue();
    HostStatus.awaitWholeBudget(cluster);
    Files.createFile(gate);
    assertSucceeds(run);
  }

  @Test
  void theApplicationMaster() throws Exception {
    Path gate = gate("am");
    Sorts.Running run = startAndAwaitLeases(gate);
    ProcessHandle am = run.job().awaitContainer(ContainerKind.APPLICATION_MASTER, Sorts.LIMIT);
    assertThat(am.destroyForcibly()).isTrue();
    Files.createFile(gate);
    assertSucceeds(run);
  }

  @Test
  void aNodeManager() throws Exception {
    Path gate = gate("nm");
    Sorts.Running run = startAndAwaitLeases(gate);
    cluster.kill9(0);
    Files.createFile(gate);
    cluster.restart(0);
    assertSucceeds(run);
    assertThat(Files.readString(cluster.nodeLog(0))).contains("jobs may go on shuffling");
  }

  private static Path gate(String name) {
    return cluster.workDirectory().resolve("gate-" + name);
  }

  /** The last maps wait; the reducers have fetched, or are fetching, from the others. */
  private static Sorts.Running startAndAwaitLeases(Path gate) throws Exception {
    Sorts.Running run = sorts.submit(SORT.onMissionControl().holdingMapsFrom(6, gate));
    boolean[] leased = {false};
    HostStatus.watch(
        cluster,
        0,
        "flows of " + run.id(),
        Sorts.LIMIT,
        status -> {
          for (int node = 0; node < cluster.nodeCount(); node++) {
            HostStatus now = HostStatus.of(cluster, node).orElse(null);
            leased[0] |= now != null && now.flows(run.id()) > 0;
          }
          return leased[0];
        });
    return run;
  }

  private static void assertSucceeds(Sorts.Running run) throws Exception {
    run.job().awaitSuccess(Sorts.LIMIT);
    assertThat(sorts.digests(run)).isEqualTo(expected);
    HostStatus.awaitWholeBudget(cluster);
  }
}
