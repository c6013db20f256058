/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.missioncontrol.bench.cluster.Await;
import org.missioncontrol.bench.host.Announcer;
import org.missioncontrol.bench.host.BenchJob;
import org.missioncontrol.bench.host.Child;
import org.missioncontrol.bench.host.MapOutputs;
import org.missioncontrol.bench.host.NodeMain;
import org.missioncontrol.bench.host.Plane;
import org.missioncontrol.bench.host.ReduceMain;
import org.missioncontrol.bench.host.ServiceHost;
import org.missioncontrol.bench.kit.CannotRunException;
import org.missioncontrol.bench.net.Dctcp;
import org.missioncontrol.bench.net.Link;
import org.missioncontrol.bench.net.NetHost;
import org.missioncontrol.bench.net.Network;
import org.missioncontrol.scheduler.control.ControlProtocol;
import org.missioncontrol.scheduler.control.TransferDescriptor;

/**
 * Each rule of the built-in table on real hosts, and what is refused: a host with map outputs, one
 * with reducers behind a switch port that marks.
 */
@Timeout(180)
class TransportTableIT {
  private static final int PORT = 13_562;
  private static final int MAPS = 400;
  private static final int REDUCERS = 4;
  private static final int PARTITION_BYTES = 256 << 10;
  private static final Link FAST = new Link(1_000, 20);
  private static final Link SLOW = new Link(100, 20);
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String TRANSPORT = "mapreduce.mission-control.transport=";

  @TempDir private Path root;
  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private Network network;
  private NetHost mapHost;
  private Child mapNode;
  private MapOutputs outputs;

  @BeforeEach
  void start() throws Exception {
    try {
      network = Network.create();
    } catch (CannotRunException e) {
      assumeTrue(false, e.getMessage());
    }
    open.push(network);
    mapHost = network.addHost(FAST, FAST, 1);
    Path directory = Files.createDirectories(root.resolve("map"));
    outputs = MapOutputs.make(ServiceHost.localDirectory(directory), REDUCERS, PARTITION_BYTES);
    mapNode = node("map-node", mapHost, directory);
  }

  @AfterEach
  void end() throws Exception {
    while (!open.isEmpty()) {
      open.pop().close();
    }
  }

  @Test
  void aPathHasTheDefaultUntilItMarksThenDctcpAndTcpWithEcnForHighFanInOfShortFlows()
      throws Exception {
    Dctcp dctcp = Dctcp.up();
    open.push(dctcp);
    assumeTrue(dctcp.there(), "no dctcp here");
    Host host = host("reduce", network.addHost(FAST, SLOW, 1), "mission-control.flows.per-host=20");
    try {
      network.port(host.net()).markAbove(0.9);
    } catch (CannotRunException e) {
      assumeTrue(false, e.getMessage());
    }

    BenchJob plain = new BenchJob(1);
    host.shuffle(plain, 2, 2);
    host.awaitFlow(
        plain, "default by built-in: otherwise", flow -> !flow.at("/kernel/ecn").asBoolean());
    assertThat(host.job(plain).at("/transports/0/decision/rule").asText())
        .isEqualTo("built-in: otherwise");
    host.stop(plain);

    BenchJob learning = new BenchJob(2);
    host.shuffle(learning, 2, 2, TRANSPORT + "ecn");
    Await.until(
        "marks of the switch in the status",
        LIMIT,
        () -> host.status().at("/paths/0/marks").asLong() > 0,
        host::told);
    host.stop(learning);

    BenchJob ruled = new BenchJob(3);
    host.shuffle(ruled, 2, 2);
    host.awaitFlow(
        ruled,
        "dctcp with ECN",
        flow ->
            flow.path("congestionControl").asText().equals("dctcp")
                && flow.at("/kernel/ecn").asBoolean()
                && flow.path("rule").asText().equals("built-in: the path marks"));
    host.stop(ruled);

    BenchJob incast = new BenchJob(4);
    try (Announcer master = new Announcer(host.net().address(), PORT)) {
      host.add(incast);
      master.announce(incast, transfer(incast, "auto").withSegments(4_096L));
      host.shuffle(incast, REDUCERS, 8);
      host.awaitFlow(
          incast,
          "TCP with ECN",
          flow ->
              flow.path("transport").asText().equals("ecn")
                  && flow.at("/kernel/ecn").asBoolean()
                  && flow.path("rule").asText().equals("built-in: high fan-in of short flows"));
    }
    host.stop(incast);
    assertThat(host.status().at("/counters/DoorTransportsRefused").asLong()).isZero();
  }

  @Test
  void severalInterfacesGetMptcpAndAHostWithoutItSaysThatItWasPassedOver() throws Exception {
    NetHost net = network.addHost(FAST, SLOW, 1);
    net.run("ip", "link", "add", "eth1", "type", "veth", "peer", "name", "far1");
    net.run("ip", "addr", "add", "172.31.255.1/24", "dev", "eth1");
    net.run("ip", "link", "set", "eth1", "up");
    net.run("ip", "link", "set", "far1", "up");
    if (Network.hasMptcp()) {
      net.run("ip", "mptcp", "limits", "set", "subflows", "2");
      net.run("ip", "mptcp", "endpoint", "add", "172.31.255.1", "dev", "eth1", "subflow");
    }
    Host host = host("multi", net);

    BenchJob job = new BenchJob(1);
    host.shuffle(job, 1, 1);
    boolean mptcp = host.status().at("/capabilities/mptcp").asBoolean();
    host.awaitFlow(
        job,
        "a flow by rule",
        flow -> flow.path("transport").asText().equals(mptcp ? "mptcp" : "default"));
    JsonNode decision = host.job(job).at("/transports/0/decision");
    if (mptcp) {
      assertThat(decision.path("rule").asText()).isEqualTo("built-in: several interfaces");
    } else {
      assertThat(decision.at("/passedOver/0").asText()).contains("interfaces is 2", "mptcp");
      assertThat(host.status().at("/counters/DoorRulesPassedOver").asLong()).isEqualTo(1);
    }
    assertThat(host.status().at("/traits/interfaces").size()).isEqualTo(2);
  }

  @Test
  void whatCannotBeHonouredIsRefusedOrPassedOverAndCounted() throws Exception {
    Path rules =
        Files.writeString(
            root.resolve("rules.properties"),
            "rule.1.transport = carrier-pigeon\nrule.2.transport = reno\n");
    NetHost net = network.addHost(FAST, SLOW, 1);
    Host host = host("ruled", net, "mission-control.rules-file=" + rules);

    BenchJob job = new BenchJob(1);
    host.shuffle(job, 1, 1);
    host.awaitFlow(
        job, "reno by rule.2", flow -> flow.path("congestionControl").asText().equals("reno"));
    JsonNode decision = host.job(job).at("/transports/0/decision");
    assertThat(decision.path("rule").asText()).isEqualTo("rule.2");
    assertThat(decision.at("/passedOver/0").asText())
        .contains("rule.1", "transport carrier-pigeon is not to be had here");
    assertThat(host.status().at("/counters/DoorRulesPassedOver").asLong()).isEqualTo(1);
    host.stop(job);

    BenchJob named = new BenchJob(2);
    host.shuffle(named, 1, 1, TRANSPORT + "carrier-pigeon");
    host.awaitFlow(
        named,
        "a refusal",
        flow -> flow.path("refusal").asText().contains("carrier-pigeon is not to be had here"));
    assertThat(host.status().at("/counters/DoorTransportsRefused").asLong()).isPositive();
  }

  private static TransferDescriptor transfer(BenchJob job, String transport) {
    return new TransferDescriptor(
        ControlProtocol.VERSION,
        job.id(),
        BenchJob.USER,
        "q",
        "NORMAL",
        TransferDescriptor.SHUFFLE,
        0,
        1,
        1 << 20,
        1,
        transport);
  }

  private Child node(String name, NetHost host, Path directory, String... options)
      throws IOException {
    String[] arguments = new String[3 + options.length];
    arguments[0] = ServiceHost.OURS;
    arguments[1] = directory.toString();
    arguments[2] = Integer.toString(PORT);
    System.arraycopy(options, 0, arguments, 3, options.length);
    Child child = Child.start(name, host, root, NodeMain.class, arguments);
    open.push(child);
    return child;
  }

  private Host host(String name, NetHost net, String... options) throws Exception {
    Path directory = Files.createDirectories(root.resolve(name));
    Child node = node(name, net, directory, options);
    Child reducers =
        Child.start(name + "-reducers", net, root, ReduceMain.class, directory.toString());
    open.push(reducers);
    mapNode.awaitReady();
    node.awaitReady();
    return new Host(net, node, reducers);
  }

  /** One host with reducers. */
  private final class Host {
    private final NetHost net;
    private final Child node;
    private final Child reducers;

    Host(NetHost net, Child node, Child reducers) {
      this.net = net;
      this.node = node;
      this.reducers = reducers;
    }

    NetHost net() {
      return net;
    }

    void add(BenchJob job) throws IOException {
      node.ask("add " + job.number());
    }

    void shuffle(BenchJob job, int count, int flows, String... keys) throws IOException {
      outputs.link(job, MAPS);
      mapNode.ask("add " + job.number());
      add(job);
      reducers.ask(
          String.join(
                  " ",
                  "start",
                  Plane.OURS.name(),
                  Integer.toString(job.number()),
                  Integer.toString(count),
                  Integer.toString(MAPS),
                  mapHost.address() + ":" + PORT,
                  "mapreduce.reduce.shuffle.parallelcopies=" + flows,
                  "mapreduce.mission-control.fetch.flows-per-map-host=" + flows,
                  String.join(" ", keys))
              .strip());
    }

    void stop(BenchJob job) throws IOException {
      reducers.ask("stop " + job.number());
      mapNode.ask("remove " + job.number());
      node.ask("remove " + job.number());
    }

    JsonNode status() throws IOException {
      return new ObjectMapper()
          .readTree(new URL("http", net.address(), PORT, ControlProtocol.STATUS_PATH));
    }

    String told() {
      try {
        return status().toPrettyString();
      } catch (IOException e) {
        return e.toString();
      }
    }

    JsonNode job(BenchJob job) throws IOException {
      return StreamSupport.stream(status().path("jobs").spliterator(), false)
          .filter(one -> one.path("job").asText().equals(job.id()))
          .findFirst()
          .orElseThrow(() -> new IOException("the status has no " + job.id()));
    }

    void awaitFlow(BenchJob job, String what, Predicate<JsonNode> sight) throws Exception {
      Await.until(
          what + " in a flow of " + job.id(),
          LIMIT,
          () ->
              StreamSupport.stream(status().path("jobs").spliterator(), false)
                  .filter(one -> one.path("job").asText().equals(job.id()))
                  .flatMap(one -> StreamSupport.stream(one.path("flows").spliterator(), false))
                  .anyMatch(sight),
          this::told);
    }
  }
}
