/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.List;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.missioncontrol.bench.cluster.NodeSpec;
import org.missioncontrol.bench.jobs.SortJob;

/** Jobs whose reducers all read everything. */
class BroadcastIT {
  private static final int MAPS = 6;
  private static final int REDUCES = 4;
  private static final SortJob SORT = SortJob.of(MAPS, REDUCES, 200_000);

  private static HeldShuffle shuffle;
  private static Sorts sorts;

  @BeforeAll
  static void start() throws Exception {
    shuffle = HeldShuffle.on(Sorts.workDirectory(BroadcastIT.class), NodeSpec.ours());
    sorts = shuffle.sorts();
  }

  @AfterAll
  static void end() throws Exception {
    if (shuffle != null) {
      shuffle.close();
    }
  }

  @Test
  void everyReducerGetsEveryRecordOfEveryMapWhichCrossesTheNetworkOnceForTheHost()
      throws Exception {
    Sorts.Running run = shuffle.begin(List.of(SORT.broadcast().onMissionControl())).get(0);
    shuffle.release();
    run.job().awaitSuccess(Sorts.LIMIT);

    Collection<String> all = sorts.digests(sorts.run(SortJob.of(MAPS, 1, 200_000))).values();
    assertThat(all).hasSize(1);
    assertThat(sorts.digests(run).values()).hasSize(REDUCES).containsOnlyElementsOf(all);
    assertThat(Sorts.ours(run, "BROADCAST_REDUCERS")).isEqualTo(REDUCES);
    assertThat(Sorts.ours(run, "SHUFFLE_REDUCERS")).isZero();

    long bytes = run.job().counter(TaskCounter.REDUCE_SHUFFLE_BYTES);
    assertThat(Sorts.ours(run, "LEASED_BYTES") * REDUCES).as("fetched").isEqualTo(bytes);
    assertThat(Sorts.ours(run, "COPIED_BYTES")).isEqualTo(bytes / REDUCES * (REDUCES - 1));
  }

  @Test
  void aBroadcastToStockReducersFailsAndSaysWhy() throws Exception {
    Sorts.Running run = sorts.submit(SORT.broadcast().with("mapreduce.map.maxattempts", 1));

    assertThat(run.job().await(Sorts.LIMIT)).isFalse();
    assertThat(List.of(run.job().job().getTaskDiagnostics(failedMap(run))).toString())
        .contains("org.missioncontrol.shuffle.MissionControlShuffle");
  }

  private static org.apache.hadoop.mapreduce.TaskAttemptID failedMap(Sorts.Running run)
      throws Exception {
    for (var event : run.job().job().getTaskCompletionEvents(0, 100)) {
      if (event.getStatus() == org.apache.hadoop.mapreduce.TaskCompletionEvent.Status.FAILED
          || event.getStatus()
              == org.apache.hadoop.mapreduce.TaskCompletionEvent.Status.TIPFAILED) {
        return event.getTaskAttemptId();
      }
    }
    throw new AssertionError("no map failed");
  }
}
