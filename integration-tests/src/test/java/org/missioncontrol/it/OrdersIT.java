/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.missioncontrol.bench.cluster.Await;
import org.missioncontrol.bench.cluster.ContainerKind;
import org.missioncontrol.bench.cluster.LocalCluster;
import org.missioncontrol.bench.cluster.NodeSpec;
import org.missioncontrol.bench.jobs.SortJob;
import org.missioncontrol.scheduler.control.OperatorClient;
import org.missioncontrol.scheduler.control.OperatorSecret;
import org.missioncontrol.scheduler.control.TransferOrder;

/**
 * The administrator's rules and operators change a job while it shuffles. Maps and
 * ApplicationMasters run on one host, reducers on another; each map waits for its gate, and while
 * the maps' NodeManager is paused, reducers hold the flows that they were given, so that one can
 * look at them.
 */
class OrdersIT {
  private static final int MAPS = 0;
  private static final int REDUCES = 1;
  private static final int MAPS_HOST_MB = 4096;
  private static final int REDUCERS = 2;
  private static final SortJob SORT = SortJob.of(5, REDUCERS, 2_000_000);

  @TempDir private static Path operators;

  private static LocalCluster cluster;
  private static Sorts sorts;
  private static Path secret;
  private static SortedMap<String, String> expected;

  @BeforeAll
  static void start() throws Exception {
    Path work = Sorts.workDirectory(OrdersIT.class);
    secret = Files.writeString(operators.resolve("secret"), "a secret of these operators alone");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    rule("");
    NodeSpec host =
        NodeSpec.ours()
            .withRecovery()
            .with("mission-control.rules-file", operators.resolve("rules.properties").toString())
            .with("mission-control.operator.secret-file", secret.toString());
    cluster =
        LocalCluster.in(work)
            .node(host.withMemoryMb(MAPS_HOST_MB))
            .node(host.withMemoryMb(8 * MAPS_HOST_MB))
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
  void aRuleAndTwoOrdersChangeTheTransportAndOutliveNodeManagerAndApplicationMaster()
      throws Exception {
    Path gate = cluster.workDirectory().resolve("gate");
    Sorts.Running run = begin(gate);

    assertFlowsHave(run, gate, 0, "reno");
    rule("user.*.transport = cubic");
    awaitTransport(run, "cubic");
    assertFlowsHave(run, gate, 1, "cubic");
    order(run, TransferOrder.of("reno", 3f));
    assertFlowsHave(run, gate, 2, "reno");
    assertThat(status().job(run.id()).path("weight").asDouble()).isEqualTo(3);
    order(run, TransferOrder.of("bbr", null));
    assertFlowsHave(run, gate, 3, "bbr");

    cluster.kill9(REDUCES);
    cluster.restart(REDUCES);
    awaitInLog(REDUCES, "An operator ordered for " + run.id() + ": transport bbr");

    Set<Long> maps = pids(run, ContainerKind.MAP);
    Set<Long> reducers = pids(run, ContainerKind.REDUCE);
    cluster.pause(REDUCES);
    ProcessHandle first = run.job().awaitContainer(ContainerKind.APPLICATION_MASTER, Sorts.LIMIT);
    assertThat(first.destroyForcibly()).isTrue();
    awaitJvms(run, ContainerKind.MAP, 1, maps);
    cluster.resume(REDUCES);
    awaitJvms(run, ContainerKind.REDUCE, REDUCERS, reducers);
    assertFlowsHave(run, gate, 4, "bbr");

    run.job().awaitSuccess(Sorts.LIMIT);
    assertThat(sorts.digests(run)).isEqualTo(expected);
    Sorts.assertAllLeased(run);
    assertThat(masterLog(run))
        .contains("The transport of " + run.id() + " changes from reno to cubic, by the admin")
        .contains("The transport of " + run.id() + " changes from cubic to reno, by the operator")
        .contains("The transport of " + run.id() + " changes from reno to bbr, by the operator");
    HostStatus.awaitWholeBudget(cluster);
  }

  /** All maps wait at their gates on their host; then the reducers begin on theirs. */
  private static Sorts.Running begin(Path gate) throws IOException, InterruptedException {
    cluster.pause(REDUCES);
    Sorts.Running run =
        sorts.submit(
            SORT.onMissionControl()
                .holdingEachMap(gate)
                .with("mapreduce.mission-control.transport", "reno")
                .with("mapreduce.reduce.memory.mb", MAPS_HOST_MB + 1));
    awaitJvms(run, ContainerKind.MAP, SORT.maps(), Set.of());
    cluster.resume(REDUCES);
    awaitJvms(run, ContainerKind.REDUCE, REDUCERS, Set.of());
    return run;
  }

  private static Set<Long> pids(Sorts.Running run, ContainerKind kind) {
    return run.job().containers(kind).stream().map(ProcessHandle::pid).collect(Collectors.toSet());
  }

  /** Waits until so many JVMs run and none of those before. */
  private static void awaitJvms(Sorts.Running run, ContainerKind kind, int count, Set<Long> before)
      throws IOException, InterruptedException {
    Await.until(
        count + " new JVMs " + kind + " of " + run.id(),
        Sorts.LIMIT,
        () -> {
          Set<Long> now = pids(run, kind);
          return now.size() == count && Collections.disjoint(now, before);
        },
        cluster::tails);
  }

  /** Lets one map end and looks at the flows that the reducers then hold to its host. */
  private static void assertFlowsHave(Sorts.Running run, Path gate, int map, String transport)
      throws IOException, InterruptedException {
    cluster.pause(MAPS);
    Files.createFile(Path.of(gate + "." + map));
    HostStatus.watch(
        cluster,
        REDUCES,
        REDUCERS + " flows of " + run.id() + " on " + transport,
        Sorts.LIMIT,
        status ->
            status != null
                && status.flows(run.id()) == REDUCERS
                && StreamSupport.stream(status.job(run.id()).path("flows").spliterator(), false)
                    .allMatch(
                        flow ->
                            flow.path("transport").asText().equals(transport)
                                && flow.path("congestionControl").asText().equals(transport)));
    cluster.resume(MAPS);
    HostStatus.watch(
        cluster,
        REDUCES,
        "the end of these flows",
        Sorts.LIMIT,
        status -> status != null && status.flows(run.id()) == 0);
  }

  private static void order(Sorts.Running run, TransferOrder order) throws Exception {
    OperatorClient operator = new OperatorClient(OperatorSecret.read(secret), 10_000);
    OperatorClient.Answer answer =
        operator.order(new URL(cluster.shuffleUrl(REDUCES)), run.id(), order);
    assertThat(answer).isEqualTo(new OperatorClient.Answer(200, ""));
    awaitTransport(run, order.transport());
  }

  /** Moved into place, so that no half of it is read. */
  private static void rule(String line) throws IOException {
    Path beside = Files.writeString(operators.resolve("rules.new"), line);
    Files.move(beside, operators.resolve("rules.properties"), StandardCopyOption.ATOMIC_MOVE);
  }

  private static void awaitTransport(Sorts.Running run, String transport)
      throws IOException, InterruptedException {
    awaitInLog(REDUCES, "Leases of " + run.id() + " have transport " + transport + " now");
  }

  private static void awaitInLog(int node, String text) throws IOException, InterruptedException {
    Await.until(
        "\"" + text + "\" in the log of host " + node,
        Sorts.LIMIT,
        () -> Files.readString(cluster.nodeLog(node)).contains(text),
        cluster::tails);
  }

  private static HostStatus status() throws IOException, InterruptedException {
    return HostStatus.of(cluster, REDUCES).orElseThrow();
  }

  private static String masterLog(Sorts.Running run) throws IOException {
    String application = run.id().replace("job_", "application_");
    try (Stream<Path> files = Files.walk(cluster.containerLogs(MAPS).resolve(application))) {
      return files
          .filter(file -> file.getFileName().toString().equals("syslog"))
          .map(OrdersIT::read)
          .filter(log -> log.contains("MRAppMaster"))
          .reduce("", String::concat);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
