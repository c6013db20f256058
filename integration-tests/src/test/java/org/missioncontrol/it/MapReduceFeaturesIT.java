/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SortedMap;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.missioncontrol.bench.cluster.Handler;
import org.missioncontrol.bench.cluster.LocalCluster;
import org.missioncontrol.bench.cluster.NodeSpec;
import org.missioncontrol.bench.jobs.SortJob;

/**
 * What MapReduce can do, it can do with us; on NodeManagers that load us by their class path keys.
 */
class MapReduceFeaturesIT {
  private static final SortJob SORT = SortJob.of(4, 2, 300_000).onMissionControl();

  private static LocalCluster cluster;
  private static Sorts sorts;
  private static SortedMap<String, String> expected;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        LocalCluster.in(Sorts.workDirectory(MapReduceFeaturesIT.class))
            .node(NodeSpec.ours().with(Handler.OURS_BY_CLASSPATH_KEY))
            .node(NodeSpec.ours().with(Handler.OURS_BY_REMOTE_CLASSPATH_KEY))
            .start();
    sorts = new Sorts(cluster);
    expected = sorts.digests(sorts.run(SortJob.of(4, 2, 300_000)));
  }

  @AfterAll
  static void end() throws Exception {
    if (cluster != null) {
      Sorts.end(cluster);
    }
  }

  private static Sorts.Running assertRuns(SortJob sort) throws Exception {
    Sorts.Running run = sorts.run(sort);
    assertThat(sorts.digests(run)).isEqualTo(expected);
    return run;
  }

  @Test
  void handlerFromAClassPathOfItsOwn() throws Exception {
    Sorts.assertAllLeased(assertRuns(SORT));
  }

  @Test
  void encryptedIntermediateData() throws Exception {
    Sorts.assertAllLeased(assertRuns(SORT.with("mapreduce.job.encrypted-intermediate-data", true)));
  }

  @Test
  void jobClassLoader() throws Exception {
    Sorts.assertAllLeased(assertRuns(SORT.with("mapreduce.job.classloader", true)));
  }

  @Test
  void outputsTooLargeForMemory() throws Exception {
    Sorts.Running run = assertRuns(SORT.with("mapreduce.reduce.memory.totalbytes", 400_000));
    Sorts.assertAllLeased(run);
    assertThat(run.job().counter(TaskCounter.SPILLED_RECORDS)).isPositive();
  }

  /** Of the old API, since Hadoop runs no combiner of the new one at reducers (MAPREDUCE-5221). */
  @Test
  void combinerOnBothSides() throws Exception {
    SortJob combining =
        SORT.with("mapred.combiner.class", "org.apache.hadoop.mapred.lib.IdentityReducer");
    long atMaps = combinedRecords(combining);
    long atBothSides =
        combinedRecords(
            combining
                .with("mapreduce.reduce.memory.totalbytes", 1_000_000)
                .with("mapreduce.reduce.shuffle.merge.percent", 0.3f));
    assertThat(atMaps).isPositive();
    assertThat(atBothSides).as("records that combiners took").isGreaterThan(atMaps);
  }

  private static long combinedRecords(SortJob combining) throws Exception {
    return assertRuns(combining).job().counter(TaskCounter.COMBINE_INPUT_RECORDS);
  }

  @Test
  void uberJob() throws Exception {
    Sorts.Running run =
        sorts.run(
            SortJob.of(2, 1, 100_000)
                .onMissionControl()
                .with("mapreduce.job.ubertask.enable", true));
    assertThat(run.job().job().isUber()).isTrue();
    assertThat(sorts.digests(run)).hasSize(1);
  }

  @Test
  void jobWithoutReducers() throws Exception {
    assertThat(sorts.digests(sorts.run(SortJob.of(2, 0, 10_000).onMissionControl()))).hasSize(2);
  }

  @Test
  void speculationAndLeasesSwitchedOff() throws Exception {
    Sorts.assertAllPlain(
        assertRuns(
            SORT.with("mapreduce.reduce.speculative", true)
                .with("mapreduce.map.speculative", true)
                .with("mapreduce.mission-control.leases.enabled", false)));
  }
}
