/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.missioncontrol.bench.cluster.LocalCluster;
import org.missioncontrol.bench.cluster.NodeSpec;
import org.missioncontrol.bench.jobs.SortJob;

/** The job's congestion control is on both ends of its sockets, as ss(8) tells it. */
class SocketTransportIT {
  private static LocalCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        LocalCluster.in(Sorts.workDirectory(SocketTransportIT.class)).node(NodeSpec.ours()).start();
  }

  @AfterAll
  static void end() throws Exception {
    if (cluster != null) {
      Sorts.end(cluster);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"reno", "cubic"})
  void bothEndsOfTheSocketsHaveTheAlgorithm(String algorithm) throws Exception {
    Path gate = cluster.workDirectory().resolve("gate-" + algorithm);
    SortJob sort =
        SortJob.of(4, 2, 48_000_000)
            .onMissionControl()
            .with("mapreduce.mission-control.transport", algorithm)
            .holdingMapsFrom(0, gate);
    Sorts.Running run = new Sorts(cluster).submit(sort);
    Files.createFile(gate);
    Set<String> serverEnds = new HashSet<>();
    Set<String> clientEnds = new HashSet<>();
    Set<String> inStatus = new TreeSet<>();
    HostStatus.watch(
        cluster,
        0,
        algorithm + " on both ends",
        Sorts.LIMIT,
        status -> {
          serverEnds.addAll(congestionControls("sport"));
          clientEnds.addAll(congestionControls("dport"));
          if (status != null) {
            status
                .job(run.id())
                .path("flows")
                .forEach(flow -> inStatus.add(flow.path("congestionControl").asText()));
          }
          return run.job().job().isComplete();
        });
    run.job().awaitSuccess(Sorts.LIMIT);
    assertThat(serverEnds).contains(algorithm);
    assertThat(clientEnds).contains(algorithm);
    // A flow that is being connected or returned has no socket to ask.
    inStatus.remove("unknown");
    assertThat(inStatus).as("of leased flows in the status").containsExactly(algorithm);
    assertThat(Sorts.ours(run, "TRANSPORT_REFUSED_CLIENT")).isZero();
    assertThat(Sorts.ours(run, "TRANSPORT_REFUSED_SERVER")).isZero();
    Sorts.assertAllLeased(run);
  }

  @Test
  void anAlgorithmThatTheHostLacksIsRefusedVisiblyAndTheJobGoesOn() throws Exception {
    Sorts.Running run =
        new Sorts(cluster)
            .run(
                SortJob.of(2, 2, 100_000)
                    .onMissionControl()
                    .with("mapreduce.mission-control.transport", "no_such_cc"));
    assertThat(Sorts.ours(run, "TRANSPORT_REFUSED_CLIENT")).isPositive();
    assertThat(Sorts.ours(run, "TRANSPORT_REFUSED_SERVER")).isPositive();
    Sorts.assertAllLeased(run);
  }

  /**
   * Of every established connection whose local (sport) or remote (dport) port is the handler's.
   */
  private static Set<String> congestionControls(String end)
      throws IOException, InterruptedException {
    Process ss =
        new ProcessBuilder("ss", "-tinOH", "state", "established", end + " = :" + port()).start();
    String out = new String(ss.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(ss.waitFor()).as("exit of ss").isZero();
    Set<String> found = new HashSet<>();
    for (String word : out.split("\\s+")) {
      if (Set.of("reno", "cubic", "bbr", "dctcp").contains(word)) {
        found.add(word);
      }
    }
    return found;
  }

  private static int port() {
    return cluster.shufflePort(0);
  }
}
