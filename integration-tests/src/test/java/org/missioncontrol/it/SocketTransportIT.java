/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
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
import org.missioncontrol.transport.Channels;
import org.missioncontrol.transport.HostCapabilities;

/** The job's congestion control is on both ends of its sockets, as ss(8) tells it. */
class SocketTransportIT {
  private static final Path DCTCP =
      Path.of(System.getProperty("mission-control.jar"))
          .resolve("../../../benchmarks/net/dctcp/dctcp")
          .normalize();

  private static LocalCluster cluster;
  private static boolean dctcpIsOurs;

  @BeforeAll
  static void start() throws Exception {
    dctcpIsOurs = dctcp("status") != 0 && dctcp("up") == 0;
    cluster =
        LocalCluster.in(Sorts.workDirectory(SocketTransportIT.class)).node(NodeSpec.ours()).start();
  }

  @AfterAll
  static void end() throws Exception {
    if (cluster != null) {
      Sorts.end(cluster);
    }
    if (dctcpIsOurs) {
      assertThat(dctcp("down")).isZero();
    }
  }

  private static int dctcp(String word) throws IOException, InterruptedException {
    return new ProcessBuilder(DCTCP.toString(), word).inheritIO().start().waitFor();
  }

  @ParameterizedTest
  @ValueSource(strings = {"reno", "cubic"})
  void bothEndsOfTheSocketsHaveTheAlgorithm(String algorithm) throws Exception {
    assertBothEndsHave(algorithm, algorithm, algorithm);
  }

  @ParameterizedTest
  @ValueSource(strings = {"dctcp", "ecn"})
  void bothEndsHaveNegotiatedEcnWithoutAnySysctl(String transport) throws Exception {
    assumeTrue(dctcp("status") == 0, DCTCP + " up needs root, clang, bpftool and libbpf-dev");
    HostCapabilities host = Channels.detect().capabilities();
    String algorithm = transport.equals("ecn") ? String.valueOf(host.classic()) : transport;
    assertBothEndsHave(transport, algorithm, algorithm + " with ecn");
  }

  @Test
  void bothEndsAreMptcpConnections() throws Exception {
    HostCapabilities host = Channels.detect().capabilities();
    assumeTrue(host.mptcp(), "needs a kernel with net.mptcp.enabled=1");
    String algorithm = host.defaultCongestionControl();
    assertBothEndsHave("mptcp", algorithm, algorithm + " with mptcp");
  }

  /**
   * @param onSockets what ss(8) shall say at both ends
   */
  private static void assertBothEndsHave(String transport, String algorithm, String onSockets)
      throws Exception {
    Path gate = cluster.workDirectory().resolve("gate-" + transport);
    SortJob sort =
        SortJob.of(4, 2, 48_000_000)
            .onMissionControl()
            .with("mapreduce.mission-control.transport", transport)
            .with(Sorts.LOCAL_FILES, false)
            .holdingMapsFrom(0, gate);
    Sorts.Running run = new Sorts(cluster).submit(sort);
    Files.createFile(gate);
    Set<String> serverEnds = new HashSet<>();
    Set<String> clientEnds = new HashSet<>();
    Set<String> inStatus = new TreeSet<>();
    HostStatus.watch(
        cluster,
        0,
        onSockets + " on both ends",
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
    assertThat(serverEnds).contains(onSockets);
    assertThat(clientEnds).contains(onSockets);
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
                    .with("mapreduce.mission-control.transport", "no_such_cc")
                    .with(Sorts.LOCAL_FILES, false));
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
        new ProcessBuilder("ss", "-tineOH", "state", "established", end + " = :" + port()).start();
    String out = new String(ss.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(ss.waitFor()).as("exit of ss").isZero();
    Set<String> found = new HashSet<>();
    for (String socket : out.split("\n")) {
      List<String> words = List.of(socket.split("\\s+"));
      boolean ecn = words.contains("ecn");
      boolean mptcp = words.contains("tcp-ulp-mptcp");
      words.stream()
          .filter(Set.of("reno", "cubic", "bbr", "dctcp")::contains)
          .forEach(
              name -> {
                found.add(name);
                if (ecn) {
                  found.add(name + " with ecn");
                }
                if (mptcp) {
                  found.add(name + " with mptcp");
                }
              });
    }
    return found;
  }

  private static int port() {
    return cluster.shufflePort(0);
  }
}
