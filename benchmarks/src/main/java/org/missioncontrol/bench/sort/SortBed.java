/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.sort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;
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
import org.missioncontrol.bench.net.Topology;

/**
 * Hosts on shaped links, whose switches mark, each with a shuffle service and place for a reducer.
 * Owned by one thread.
 */
final class SortBed implements AutoCloseable {
  private static final int PORT = 13_562;
  private static final int PARTITION_BYTES = 256 << 10;
  private static final double MARK_ABOVE = 0.97;
  private static final String BUDGET = "mission-control.flows.per-host=256";

  private final SortSetting setting;
  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final Network network;
  private final List<NetHost> hosts = new ArrayList<>();
  private final List<MapOutputs> outputs = new ArrayList<>();
  private final List<Child> nodes = new ArrayList<>();
  private final List<Child> reducers = new ArrayList<>();
  private int jobs;

  SortBed(SortSetting setting, Topology topology, Path root)
      throws IOException, InterruptedException {
    this.setting = setting;
    boolean started = false;
    try {
      network = Network.create();
      open.push(network);
      Link link = new Link(setting.mbit(), setting.queueMs());
      for (SwitchPort port : network.addHosts(topology, setting.hosts(), link)) {
        port.markAbove(MARK_ABOVE);
      }
      hosts.addAll(network.hosts());
      for (NetHost host : hosts) {
        populate(host, root.resolve(host.namespace()));
      }
      for (Child child : nodes) {
        child.awaitReady();
      }
      started = true;
    } finally {
      if (!started) {
        close();
      }
    }
  }

  private void populate(NetHost host, Path root) throws IOException {
    Files.createDirectories(root);
    outputs.add(MapOutputs.make(ServiceHost.localDirectory(root), 1, PARTITION_BYTES));
    String directory = root.toString();
    String port = Integer.toString(PORT);
    nodes.add(
        Child.start("node", host, root, NodeMain.class, ServiceHost.OURS, directory, port, BUDGET));
    open.push(nodes.get(nodes.size() - 1));
    reducers.add(Child.start("reducers", host, root, ReduceMain.class, directory));
    open.push(reducers.get(reducers.size() - 1));
  }

  /** Seconds that a receiver's link needs for what its reducer fetches. */
  double idealSeconds() {
    return mapsPerSource()
        * sources()
        * (double) PARTITION_BYTES
        / new Link(setting.mbit(), 1).bytesPerSecond();
  }

  private int sources() {
    return setting.hosts() - 1;
  }

  private int mapsPerSource() {
    double bytes = new Link(setting.mbit(), 1).bytesPerSecond() * setting.seconds();
    return Math.max(1, (int) (bytes / PARTITION_BYTES / sources()));
  }

  /**
   * One job: a reducer on each of the first hosts fetches from all others.
   *
   * @param flows that it holds to each of them
   * @param keys of the job besides
   */
  SortRun shuffle(int receivers, int flows, List<String> keys)
      throws IOException, InterruptedException {
    BenchJob job = new BenchJob(++jobs);
    int maps = mapsPerSource() * sources();
    for (int i = 0; i < hosts.size(); i++) {
      outputs.get(i).link(job, maps);
      nodes.get(i).ask("add " + job.number());
    }
    long idealMs = (long) (1e3 * idealSeconds());
    Watch watch = new Watch(network.queues(), hosts.subList(0, receivers), PORT, idealMs);
    double seconds = 0;
    try (watch) {
      for (int i = 0; i < receivers; i++) {
        reducers.get(i).ask(start(job, i, maps, flows, keys));
      }
      for (Child child : reducers.subList(0, receivers)) {
        seconds = Math.max(seconds, Double.parseDouble(child.ask("await " + job.number())));
      }
    }
    for (Child child : reducers.subList(0, receivers)) {
      child.ask("stop " + job.number());
    }
    for (Child node : nodes) {
      node.ask("remove " + job.number());
    }
    return watch.run(seconds);
  }

  private String start(BenchJob job, int host, int maps, int flows, List<String> keys) {
    String servers =
        hosts.stream()
            .filter(other -> !other.equals(hosts.get(host)))
            .map(other -> other.address() + ":" + PORT)
            .collect(Collectors.joining(","));
    return String.join(
        " ",
        "start",
        Plane.OURS.name(),
        Integer.toString(job.number()),
        "1",
        Integer.toString(maps),
        servers,
        "mapreduce.mission-control.fetch.flows-per-map-host=" + flows,
        "mapreduce.reduce.shuffle.parallelcopies=" + flows * sources(),
        String.join(" ", keys));
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
