/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.datapath;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.missioncontrol.bench.host.BenchJob;
import org.missioncontrol.bench.host.Child;
import org.missioncontrol.bench.host.MapOutputs;
import org.missioncontrol.bench.host.NodeMain;
import org.missioncontrol.bench.host.Plane;
import org.missioncontrol.bench.host.ReduceMain;
import org.missioncontrol.bench.host.ServiceHost;
import org.missioncontrol.bench.host.Usage;

/**
 * Our handler and stock's, and reducers of ours and of stock's, each in a JVM of its own, with
 * loopback between them. Owned by one thread.
 */
final class Stage implements AutoCloseable {
  /** Keys of a job whose outputs Hadoop's merge takes into memory and leaves there. */
  static final List<String> INTO_MEMORY =
      List.of(
          "bench.merge=hadoop",
          "mapreduce.reduce.memory.totalbytes=1000000000",
          "mapreduce.reduce.merge.memtomem.enabled=false",
          "mapreduce.reduce.input.buffer.percent=1.0",
          "mapreduce.task.io.sort.factor=100000");

  private static final String HOST = Child.HERE + ":";

  private final Path root;
  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final Map<Plane, Child> nodes = new EnumMap<>(Plane.class);
  private final Map<Plane, Child> reducers = new EnumMap<>(Plane.class);
  private int jobs;

  /**
   * @param seconds of the shuffle
   * @param cpuSeconds of both JVMs together
   */
  record Shuffled(double seconds, double cpuSeconds) {}

  /**
   * @param nodeHeap of each handler, as java wants it
   * @param reduceHeap of each JVM with reducers; empty for none of them
   */
  Stage(Path root, String nodeHeap, String reduceHeap) throws IOException {
    this(root, nodeHeap, reduceHeap, false);
  }

  /**
   * @param together whether reducers run on the hosts of the handlers, as far as they can tell
   */
  Stage(Path root, String nodeHeap, String reduceHeap, boolean together) throws IOException {
    this.root = root;
    boolean started = false;
    try {
      for (Plane plane : Plane.values()) {
        String service = plane == Plane.OURS ? ServiceHost.OURS : ServiceHost.STOCK;
        Path own = Files.createDirectories(root.resolve(plane.name()));
        nodes.put(
            plane, child("node-" + plane, nodeHeap, NodeMain.class, service, own.toString(), "0"));
        if (!reduceHeap.isEmpty()) {
          Path apart = Files.createDirectories(root.resolve("reduce-" + plane));
          String host = (together ? own : apart).toString();
          reducers.put(plane, child("reducers-" + plane, reduceHeap, ReduceMain.class, host));
        }
      }
      started = true;
    } finally {
      if (!started) {
        close();
      }
    }
  }

  /** Starts a further JVM, which ends with this. */
  Child child(String name, String heap, Class<?> main, String... arguments) throws IOException {
    Child child = Child.startHere(name, heap, root, main, arguments);
    open.push(child);
    return child;
  }

  /** Map outputs that both handlers can be given. */
  Outputs outputs(int partitions, int partitionBytes) throws IOException {
    Map<Plane, MapOutputs> made = new EnumMap<>(Plane.class);
    for (Plane plane : Plane.values()) {
      Path local = ServiceHost.localDirectory(root.resolve(plane.name()));
      made.put(plane, MapOutputs.ofRecords(local, partitions, partitionBytes));
    }
    return new Outputs(made, partitions);
  }

  /** A new job with these outputs at a handler. */
  BenchJob add(Plane plane, Outputs outputs, int maps) throws IOException {
    BenchJob job = new BenchJob(++jobs);
    outputs.of(plane).link(job, maps);
    node(plane).ask("add " + job.number());
    return job;
  }

  void remove(Plane plane, BenchJob job) throws IOException {
    node(plane).ask("remove " + job.number());
  }

  /** One shuffle of a new job. */
  Shuffled shuffle(Plane plane, Outputs outputs, int maps, List<String> keys) throws IOException {
    BenchJob job = add(plane, outputs, maps);
    Child reduce = reducers.get(plane);
    if (reduce == null) {
      throw new IllegalStateException("no reducers were wanted");
    }
    reduce.awaitReady();
    Usage before = usage(plane);
    reduce.ask(
        String.join(
            " ",
            "start",
            plane.name(),
            Integer.toString(job.number()),
            Integer.toString(outputs.partitions()),
            Integer.toString(maps),
            HOST + port(plane),
            String.join(" ", keys)));
    Usage used = Usage.parse(reduce.ask("used " + job.number()));
    Usage served = usage(plane).since(before);
    reduce.ask("stop " + job.number());
    remove(plane, job);
    return new Shuffled(used.nanos() / 1e9, (used.cpuNanos() + served.cpuNanos()) / 1e9);
  }

  Usage usage(Plane plane) throws IOException {
    return Usage.parse(node(plane).ask("usage"));
  }

  int port(Plane plane) throws IOException {
    return Integer.parseInt(node(plane).ask("port"));
  }

  Child node(Plane plane) {
    Child node = nodes.get(plane);
    if (node == null) {
      throw new IllegalStateException("no handler of " + plane);
    }
    return node;
  }

  @Override
  public void close() throws IOException {
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (IOException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException("nothing here throws this", e);
      }
    }
  }

  /** The same outputs in the directories of both handlers. Immutable. */
  record Outputs(Map<Plane, MapOutputs> made, int partitions) {
    long segmentBytes() {
      return one().segmentBytes();
    }

    MapOutputs one() {
      return of(Plane.OURS);
    }

    private MapOutputs of(Plane plane) {
      MapOutputs outputs = made.get(plane);
      if (outputs == null) {
        throw new IllegalStateException("no outputs for " + plane);
      }
      return outputs;
    }
  }
}
