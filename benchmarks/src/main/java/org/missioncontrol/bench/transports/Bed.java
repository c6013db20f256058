/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.transports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.missioncontrol.bench.host.BenchJob;
import org.missioncontrol.bench.host.Child;
import org.missioncontrol.bench.host.MapOutputs;
import org.missioncontrol.bench.host.NodeMain;
import org.missioncontrol.bench.host.Plane;
import org.missioncontrol.bench.host.ReduceMain;
import org.missioncontrol.bench.host.ServiceHost;
import org.missioncontrol.bench.net.Link;
import org.missioncontrol.bench.net.NetHost;
import org.missioncontrol.bench.net.Network;
import org.missioncontrol.bench.net.SwitchPort;
import org.missioncontrol.scheduler.control.ControlProtocol;

/**
 * A host with map outputs, one with reducers, and a switch that marks; and a second switch with a
 * link to either, for MPTCP. Owned by one thread.
 */
final class Bed implements AutoCloseable {
  private static final int PORT = 13_562;
  private static final int PARTITION_BYTES = 256 << 10;
  private static final int REDUCERS = 2;
  private static final int FLOWS = 2;
  private static final int LINKS = 2;
  private static final int FAST_MBIT = 2_000;
  private static final double MARK_ABOVE = 0.97;
  private static final double MAP_SLACK_S = 6;

  private final Setting setting;
  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final NetHost mapHost;
  private final NetHost reduceHost;
  private final List<String> mapAddresses = new ArrayList<>();
  private final List<String> reduceAddresses = new ArrayList<>();
  private final SwitchPort bottleneck;
  private final MapOutputs outputs;
  private final Child mapNode;
  private final Child reduceNode;
  private final Child reducers;

  Bed(Setting setting, Path root) throws IOException, InterruptedException {
    this.setting = setting;
    boolean started = false;
    try {
      Network network = Network.create();
      open.push(network);
      Link fast = new Link(FAST_MBIT, setting.queueMs());
      mapHost = network.addHost(fast, fast, 1);
      Link slow = new Link(setting.mbit(), setting.queueMs());
      reduceHost = network.addHost(fast, slow, 1);
      mapAddresses.add(mapHost.address());
      reduceAddresses.add(reduceHost.address());
      if (setting.twoLinks()) {
        mapAddresses.add(network.addSecondLink(mapHost, fast, fast));
        reduceAddresses.add(network.addSecondLink(reduceHost, fast, slow));
      }
      bottleneck = network.port(reduceHost);
      bottleneck.markAbove(MARK_ABOVE);
      Path mapRoot = Files.createDirectories(root.resolve("map"));
      Path reduceRoot = Files.createDirectories(root.resolve("reduce"));
      outputs = MapOutputs.make(ServiceHost.localDirectory(mapRoot), REDUCERS, PARTITION_BYTES);
      mapNode = node("map-node", mapHost, mapRoot);
      reduceNode = node("reduce-node", reduceHost, reduceRoot);
      reducers = Child.start("reducers", reduceHost, root, ReduceMain.class, reduceRoot.toString());
      open.push(reducers);
      mapNode.awaitReady();
      reduceNode.awaitReady();
      started = true;
    } finally {
      if (!started) {
        close();
      }
    }
  }

  private Child node(String name, NetHost host, Path root) throws IOException {
    Child child =
        Child.start(
            name,
            host,
            root,
            NodeMain.class,
            ServiceHost.OURS,
            root.toString(),
            Integer.toString(PORT));
    open.push(child);
    return child;
  }

  /** Shuffles with these job keys for a while. */
  Measured run(BenchJob job, List<String> keys) throws IOException, InterruptedException {
    int maps = maps();
    outputs.link(job, maps);
    mapNode.ask("add " + job.number());
    reduceNode.ask("add " + job.number());
    reducers.ask(
        String.join(
            " ",
            "start",
            Plane.OURS.name(),
            Integer.toString(job.number()),
            Integer.toString(REDUCERS),
            Integer.toString(maps),
            mapHost.address() + ":" + PORT,
            "mapreduce.mission-control.fetch.flows-per-map-host=" + FLOWS,
            String.join(" ", keys)));
    Thread.sleep(setting.settleMs());
    long begun = System.nanoTime();
    double before = bytes(job);
    QueueWatch queue = new QueueWatch(bottleneck);
    Sockets client;
    Sockets server;
    boolean tls;
    try (queue) {
      Thread.sleep(setting.windowMs() / 2);
      client = sockets(reduceHost, "dport", mapAddresses);
      server = sockets(mapHost, "sport", reduceAddresses);
      tls = encrypted(job);
      Thread.sleep(setting.windowMs() / 2);
    }
    double rate = (bytes(job) - before) / ((System.nanoTime() - begun) / 1e9);
    reducers.ask("stop " + job.number());
    mapNode.ask("remove " + job.number());
    reduceNode.ask("remove " + job.number());
    return new Measured(client, server, tls, rate, queue.p95());
  }

  /** Of the shuffle's connections between the hosts, which a look at the status is not. */
  private static Sockets sockets(NetHost host, String end, List<String> peers)
      throws IOException, InterruptedException {
    String which = end + " = :" + PORT + " and ( dst " + String.join(" or dst ", peers) + " )";
    return Sockets.parse(host.run("ss", "-tineOH", "state", "established", which));
  }

  private int maps() {
    double seconds = (setting.settleMs() + setting.windowMs()) / 1e3 + MAP_SLACK_S;
    double bytes = LINKS * new Link(setting.mbit(), 1).bytesPerSecond() * seconds;
    return (int) Math.ceil(bytes / (REDUCERS * (double) PARTITION_BYTES));
  }

  private double bytes(BenchJob job) throws IOException {
    for (String word : reducers.ask("bytes").split(" ", -1)) {
      if (word.startsWith(job.number() + ":")) {
        return Long.parseLong(word.substring(word.indexOf(':') + 1));
      }
    }
    throw new IOException("no reducers of " + job.id());
  }

  /** Whether every connection of the job is, as the map host's service says. */
  private boolean encrypted(BenchJob job) throws IOException {
    JsonNode served =
        new ObjectMapper()
            .readTree(new URL("http", mapHost.address(), PORT, ControlProtocol.STATUS_PATH))
            .path("served");
    boolean all = false;
    for (JsonNode one : served) {
      if (one.path("job").asText().equals(job.id())) {
        if (!one.path("encrypted").asBoolean()) {
          return false;
        }
        all = true;
      }
    }
    return all;
  }

  @Override
  public void close() throws IOException {
    IOException first = null;
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (IOException e) {
        first = first == null ? e : first;
      } catch (Exception e) {
        throw new IllegalStateException("nothing here throws this", e);
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
