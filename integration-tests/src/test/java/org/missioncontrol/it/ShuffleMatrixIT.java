/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.missioncontrol.bench.cluster.LocalCluster;
import org.missioncontrol.bench.cluster.NodeSpec;
import org.missioncontrol.bench.jobs.SortJob;

/** Every pairing of reducer and handler gives the bytes of stock with stock. */
class ShuffleMatrixIT {
  private static final int MAPS = 30;
  private static final int REDUCES = 4;

  /** So few containers at once as two cores can start; the others wait. */
  private static final int MEMORY_MB = 3072;

  private static final Map<Boolean, SortedMap<String, String>> EXPECTED = new HashMap<>();
  private static LocalCluster stock;
  private static LocalCluster ours;
  private static LocalCluster mixed;

  @BeforeAll
  static void runStockWithStock() throws Exception {
    stock =
        LocalCluster.in(Sorts.workDirectory(ShuffleMatrixIT.class))
            .nodes(2, NodeSpec.stock().withMemoryMb(MEMORY_MB))
            .start();
    ours =
        LocalCluster.in(Sorts.workDirectory(ShuffleMatrixIT.class))
            .nodes(2, NodeSpec.ours().withMemoryMb(MEMORY_MB))
            .start();
    mixed =
        LocalCluster.in(Sorts.workDirectory(ShuffleMatrixIT.class))
            .node(NodeSpec.stock().withMemoryMb(MEMORY_MB))
            .node(NodeSpec.ours().withMemoryMb(MEMORY_MB))
            .start();
    for (boolean compressed : new boolean[] {false, true}) {
      Sorts sorts = new Sorts(stock);
      EXPECTED.put(compressed, sorts.digests(sorts.run(sort(compressed))));
    }
  }

  @AfterAll
  static void end() throws Exception {
    for (LocalCluster cluster : new LocalCluster[] {stock, ours, mixed}) {
      if (cluster != null) {
        Sorts.end(cluster);
      }
    }
  }

  private static SortJob sort(boolean compressed) {
    return SortJob.of(MAPS, REDUCES, 200_000).with("mapreduce.map.output.compress", compressed);
  }

  private static Sorts.Running assertSameBytes(LocalCluster cluster, SortJob sort, boolean codec)
      throws Exception {
    Sorts sorts = new Sorts(cluster);
    Sorts.Running run = sorts.run(sort);
    assertThat(EXPECTED.get(codec)).hasSize(REDUCES);
    assertThat(sorts.digests(run)).isEqualTo(EXPECTED.get(codec));
    assertThat(run.job().counter(TaskCounter.SHUFFLED_MAPS)).isEqualTo(MAPS * REDUCES);
    return run;
  }

  @ParameterizedTest(name = "compressed: {0}")
  @ValueSource(booleans = {false, true})
  void stockReducerFromOurHandler(boolean compressed) throws Exception {
    assertSameBytes(ours, sort(compressed), compressed);
  }

  @ParameterizedTest(name = "compressed: {0}")
  @ValueSource(booleans = {false, true})
  void ourReducerFromStockHandlerOverPlainSockets(boolean compressed) throws Exception {
    Sorts.Running run = assertSameBytes(stock, sort(compressed).onMissionControl(), compressed);
    Sorts.assertAllPlain(run);
  }

  @ParameterizedTest(name = "compressed: {0}")
  @ValueSource(booleans = {false, true})
  void ourReducerFromOurHandlerOverLeasedFlows(boolean compressed) throws Exception {
    Sorts.Running run = assertSameBytes(ours, sort(compressed).onMissionControl(), compressed);
    Sorts.assertAllLeased(run);
  }

  @ParameterizedTest(name = "our reducer: {0}")
  @ValueSource(booleans = {false, true})
  void aClusterInTheMiddleOfAnUpgrade(boolean ourReducer) throws Exception {
    SortJob sort = sort(false);
    assertSameBytes(mixed, ourReducer ? sort.onMissionControl() : sort, false);
  }
}
