/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.it;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.mapreduce.TaskCounter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.missioncontrol.bench.cluster.LocalCluster;
import org.missioncontrol.bench.cluster.NodeSpec;
import org.missioncontrol.bench.jobs.SortJob;

/** Map outputs encrypted without certificates, on a cluster whose NodeManagers change. */
class EncryptedTransportIT {
  private static final String ENCRYPTION = "mapreduce.mission-control.encryption";

  private static LocalCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        LocalCluster.in(Sorts.workDirectory(EncryptedTransportIT.class))
            .node(NodeSpec.ours())
            .node(NodeSpec.ours())
            .start();
  }

  @AfterAll
  static void end() throws Exception {
    if (cluster != null) {
      Sorts.end(cluster);
    }
  }

  @Test
  void everyByteOfARequiredJobIsEncryptedOverLeasedFlowsOfAnyTransport() throws Exception {
    Sorts sorts = new Sorts(cluster);
    SortJob sort = SortJob.of(6, 3, 1_000_000);
    Sorts.Running clear = sorts.run(sort.onMissionControl());
    Sorts.Running encrypted =
        sorts.run(
            sort.onMissionControl()
                .with(ENCRYPTION, "required")
                .with(Sorts.LOCAL_FILES, false)
                .with("mapreduce.mission-control.transport", "reno"));

    assertThat(sorts.digests(encrypted)).isEqualTo(sorts.digests(clear));
    Sorts.assertAllLeased(encrypted);
    assertThat(Sorts.ours(encrypted, "LOCAL_BYTES")).isZero();
    assertThat(Sorts.ours(encrypted, "ENCRYPTED_BYTES"))
        .isEqualTo(encrypted.job().counter(TaskCounter.REDUCE_SHUFFLE_BYTES));
    assertThat(Sorts.ours(encrypted, "ENCRYPTION_REFUSED")).isZero();
    assertThat(Sorts.ours(encrypted, "TRANSPORT_REFUSED_SERVER")).isZero();
    assertThat(Sorts.ours(clear, "ENCRYPTED_BYTES")).isZero();
  }
}
