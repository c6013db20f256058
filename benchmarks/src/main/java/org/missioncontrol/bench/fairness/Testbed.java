/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.fairness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.missioncontrol.bench.host.Announcer;
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

/** The two hosts, their services and their reducers. Owned by one thread. */
final class Testbed implements AutoCloseable {
  private static final int OUR_PORT = 13_562;
  private static final int STOCK_PORT = 13_563;
  private static final int PARTITIONS = 4;
  private static final int FLOWS_PER_MAP_HOST = 8;

  private final Setting setting;
  private final NetHost mapHost;
  private final Child ourMapNode;
  private final Child stockMapNode;
  private final Child reduceNode;
  private final NetHost reduceHost;
  private final Path reduceRoot;
  private final Child reducers;
  private Child stockReducers;
  private final Announcer announcer;
  private final FlowWatch watch;
  private final Deque<AutoCloseable> open;

  private Testbed(
      Setting setting,
      NetHost mapHost,
      Child ourMapNode,
      Child stockMapNode,
      Child reduceNode,
      Child reducers,
      Child stockReducers,
      NetHost reduceHost,
      Path reduceRoot,
      Deque<AutoCloseable> open)
      throws IOException {
    this.setting = setting;
    this.mapHost = mapHost;
    this.ourMapNode = ourMapNode;
    this.stockMapNode = stockMapNode;
    this.reduceNode = reduceNode;
    this.reducers = reducers;
    this.stockReducers = stockReducers;
    this.reduceHost = reduceHost;
    this.reduceRoot = reduceRoot;
    this.open = open;
    this.announcer = new Announcer(reduceHost.address(), OUR_PORT);
    open.push(announcer);
    this.watch = new FlowWatch(reduceHost.address(), OUR_PORT);
    open.push(watch);
  }

  /** Bytes of map outputs that each job had at a moment. Immutable. */
  record Bytes(long nanos, Map<Integer, Long> byJob) {
    double of(BenchJob job) {
      return byJob.getOrDefault(job.number(), 0L);
    }

    double total() {
      return byJob.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  /** Starts it all; {@code jobs} have map outputs enough to shuffle until they are stopped. */
  static Testbed start(Setting setting, Path root, List<BenchJob> jobs)
      throws IOException, InterruptedException {
    Deque<AutoCloseable> open = new ArrayDeque<>();
    boolean started = false;
    try {
      Network network = Network.create();
      open.push(network);
      Link link = new Link(setting.mbit(), setting.queueMs());
      NetHost mapHost = network.addHost(link, link, setting.mapHosts());
      NetHost reduceHost = network.addHost(link, link, 1);
      if (!setting.congestionControl().isEmpty()) {
        network.congestionControl(setting.congestionControl());
      }
      Path mapRoot = Files.createDirectories(root.resolve("map"));
      Path reduceRoot = Files.createDirectories(root.resolve("reduce"));
      Child ours = node(open, "map-ours", mapHost, ServiceHost.OURS, mapRoot, OUR_PORT);
      Child stock = node(open, "map-stock", mapHost, ServiceHost.STOCK, mapRoot, STOCK_PORT);
      Child reduceNode =
          node(
              open,
              "reduce-node",
              reduceHost,
              ServiceHost.OURS,
              reduceRoot,
              OUR_PORT,
              "mission-control.flows.per-host=" + setting.budget(),
              "mission-control.share-by=" + setting.shareBy());
      Child reducers = reducers(open, "reducers", reduceHost, reduceRoot);
      Child stockReducers = reducers(open, "stock-reducers", reduceHost, reduceRoot);
      MapOutputs outputs =
          MapOutputs.make(
              ServiceHost.localDirectory(mapRoot), PARTITIONS, setting.partitionBytes());
      for (BenchJob job : jobs) {
        outputs.link(job, setting.maps());
      }
      for (Child child : List.of(ours, stock, reduceNode)) {
        child.awaitReady();
      }
      Testbed testbed =
          new Testbed(
              setting,
              mapHost,
              ours,
              stock,
              reduceNode,
              reducers,
              stockReducers,
              reduceHost,
              reduceRoot,
              open);
      started = true;
      return testbed;
    } finally {
      if (!started) {
        close(open);
      }
    }
  }

  private static Child reducers(Deque<AutoCloseable> open, String name, NetHost host, Path root)
      throws IOException {
    Child child = Child.start(name, host, root, ReduceMain.class, root.toString());
    open.push(child);
    return child;
  }

  private static Child node(
      Deque<AutoCloseable> open,
      String name,
      NetHost host,
      String service,
      Path root,
      int port,
      String... options)
      throws IOException {
    List<String> words = new ArrayList<>(List.of(service, root.toString(), "" + port));
    words.addAll(List.of(options));
    Child child = Child.start(name, host, root, NodeMain.class, words.toArray(String[]::new));
    open.push(child);
    return child;
  }

  /** Begins a job's shuffle through Mission Control. */
  void startOurs(BenchJob job, float weight, int count, int maps) throws IOException {
    tell("add", job, ourMapNode, reduceNode);
    announcer.announce(job, weight, 1);
    start(reducers, Plane.OURS, job, count, maps, OUR_PORT);
  }

  /** Begins a job's shuffle by stock. */
  void startStock(BenchJob job, int count, int maps) throws IOException {
    tell("add", job, stockMapNode);
    start(stockReducers, Plane.STOCK, job, count, maps, STOCK_PORT);
  }

  private void start(Child where, Plane plane, BenchJob job, int count, int maps, int port)
      throws IOException {
    String servers =
        mapHost.addresses().stream()
            .map(address -> address + ":" + port)
            .collect(Collectors.joining(","));
    String batch =
        setting.mapsPerBatch() == 0
            ? ""
            : " mapreduce.mission-control.fetch.maps-per-batch=" + setting.mapsPerBatch();
    where.ask(
        String.join(
                " ",
                "start",
                plane.name(),
                "" + job.number(),
                "" + count,
                "" + maps,
                servers,
                "mapreduce.mission-control.fetch.flows-per-map-host=" + FLOWS_PER_MAP_HOST,
                "mapreduce.reduce.shuffle.parallelcopies="
                    + FLOWS_PER_MAP_HOST * setting.mapHosts())
            + batch);
  }

  /** Waits until the job has fetched everything; seconds since it was started. */
  double awaitSeconds(Plane plane, BenchJob job) throws IOException {
    return Double.parseDouble(reducers(plane).ask("await " + job.number()));
  }

  private Child reducers(Plane plane) throws IOException {
    return plane == Plane.OURS ? reducers : stockReducers;
  }

  /** Kills the job's reducers. */
  void kill(BenchJob job) throws IOException {
    reducers.ask("stop " + job.number());
  }

  /** Ends jobs that went through Mission Control. */
  void forgetOurs(List<BenchJob> jobs) throws IOException, InterruptedException {
    for (BenchJob job : jobs) {
      announcer.withdraw(job);
      tell("remove", job, ourMapNode, reduceNode);
    }
    if (watch.await(System.nanoTime(), 10_000, look -> look.jobs().isEmpty()) == null) {
      throw new IOException("jobs that ended are still in the NodeManager's books");
    }
  }

  /**
   * Ends jobs of stock, and the JVM in which its reducers were: its fetchers do not hear of an
   * interrupt.
   */
  void forgetStock(List<BenchJob> jobs) throws IOException, InterruptedException {
    stockReducers.kill();
    stockReducers = reducers(open, "stock-reducers", reduceHost, reduceRoot);
    for (BenchJob job : jobs) {
      tell("remove", job, stockMapNode);
    }
  }

  private static void tell(String word, BenchJob job, Child... nodes) throws IOException {
    for (Child node : nodes) {
      node.ask(word + " " + job.number());
    }
  }

  /** What every running job has now. */
  Bytes bytes(Plane plane) throws IOException {
    String[] words = reducers(plane).ask("bytes").split(" ", -1);
    Map<Integer, Long> byJob = new HashMap<>();
    IntStream.range(1, words.length)
        .mapToObj(i -> words[i].split(":", -1))
        .forEach(word -> byJob.put(Integer.parseInt(word[0]), Long.parseLong(word[1])));
    return new Bytes(Long.parseLong(words[0]), byJob);
  }

  /** The flows of the reducers' host. */
  FlowWatch watch() {
    return watch;
  }

  @Override
  public void close() throws IOException {
    close(open);
  }

  private static void close(Deque<AutoCloseable> open) throws IOException {
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
