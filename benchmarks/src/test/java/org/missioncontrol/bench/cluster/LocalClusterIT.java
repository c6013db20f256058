/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.missioncontrol.bench.jobs.Outputs;
import org.missioncontrol.bench.jobs.SortJob;

class LocalClusterIT {
  private static final Duration LIMIT = Duration.ofSeconds(240);

  @TempDir Path work;

  @Test
  void sortsWhileAReducerIsKilledAndLeavesNoProcess() throws Exception {
    Path gate = work.resolve("gate");
    Path directory = work.resolve("cluster");
    String output = work.resolve("out").toString();
    try (LocalCluster cluster = LocalCluster.in(directory).nodes(2, NodeSpec.stock()).start()) {
      SortJob sort = SortJob.of(4, 2, 100_000).holdingMapsFrom(3, gate);
      ClusterJob job = cluster.submit(sort.create(cluster.configuration(), output));

      ProcessHandle reducer = job.awaitContainer(ContainerKind.REDUCE, LIMIT);
      assertThat(job.containers(ContainerKind.APPLICATION_MASTER)).hasSize(1);
      reducer.destroyForcibly();
      Files.createFile(gate);

      job.awaitSuccess(LIMIT);
      assertThat(job.counter(TaskCounter.REDUCE_INPUT_RECORDS)).isEqualTo(4000);
      assertThat(Outputs.digests(cluster.configuration(), output)).hasSize(2);
    }
    assertThat(new Containers(directory).all()).isEmpty();
  }
}
