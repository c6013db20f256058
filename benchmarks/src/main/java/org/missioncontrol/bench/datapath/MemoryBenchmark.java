/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.datapath;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.missioncontrol.bench.datapath.Stage.Outputs;
import org.missioncontrol.bench.host.BenchJob;
import org.missioncontrol.bench.host.Child;
import org.missioncontrol.bench.host.Plane;
import org.missioncontrol.bench.host.Usage;
import org.missioncontrol.bench.kit.Benchmark;
import org.missioncontrol.bench.kit.Progress;
import org.missioncontrol.bench.kit.Result;
import org.missioncontrol.bench.kit.Scratch;
import org.missioncontrol.bench.kit.Table;
import org.missioncontrol.bench.kit.Words;

/** See {@link #summary} and {@link #options}. Immutable. */
public final class MemoryBenchmark implements Benchmark {
  private static final int REDUCES = 1000;
  private static final int SEGMENT_BYTES = 100;
  private static final int CLIENTS = 4;

  /** How often it is looked whether all connections are accepted. */
  private static final int ACCEPT_LOOKS = 100;

  private static final double MEGABYTE = 1 << 20;

  /** Made by the command. */
  public MemoryBenchmark() {}

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public String summary() {
    return "what a handler holds under idle connections and under very many tiny segments";
  }

  @Override
  public String options() {
    return """
          --quick         each of 4 clients fetches 4 of the 1000 reduces (50 without)
          --connections N idle ones, default 10000
          --maps N        default 2000
        """;
  }

  /** What was measured of one handler. */
  private record Growth(Usage idle, Usage tiny, Usage after) {}

  @Override
  public Result run(Words words) throws IOException, InterruptedException {
    int reduces = words.flag("--quick") ? 4 : 50;
    int connections = words.number("--connections", 10_000);
    int maps = words.number("--maps", 2000);
    words.none();
    try (Scratch scratch = Scratch.make(name());
        Stage stage = new Stage(scratch.path(), "512m", "")) {
      List<Child> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(stage.child("client-" + i, "128m", ClientMain.class));
      }
      Outputs outputs = stage.outputs(REDUCES, SEGMENT_BYTES);
      Table table = new Table("load", "handler", "heap, MB", "direct, MB", "descriptors");
      Result result = new Result(name());
      for (Plane plane : Plane.values()) {
        Progress.say(plane.name());
        Growth one = measure(stage, plane, clients, outputs, connections, maps, reduces);
        row(table, connections + " idle connections", plane, one.idle());
        row(table, maps + " maps, tiny segments", plane, one.tiny());
        row(table, "after both", plane, one.after());
        if (plane == Plane.OURS) {
          add(result, one);
        }
      }
      System.out.println("growth since before the load; idle connections' own sockets left out");
      System.out.println(table);
      return result;
    }
  }

  private static Growth measure(
      Stage stage,
      Plane plane,
      List<Child> clients,
      Outputs outputs,
      int connections,
      int maps,
      int reduces)
      throws IOException, InterruptedException {
    BenchJob warm = stage.add(plane, outputs, 40);
    fetch(stage, plane, clients, warm, 40, 1);
    stage.remove(plane, warm);
    Usage before = collected(stage, plane);
    Child client = clients.get(0);
    client.ask("hold " + stage.port(plane) + " " + connections);
    Usage held = collected(stage, plane).since(before);
    for (int left = ACCEPT_LOOKS; left > 0 && held.files() < connections; left--) {
      Thread.sleep(100);
      held = collected(stage, plane).since(before);
    }
    client.ask("drop");
    BenchJob job = stage.add(plane, outputs, maps);
    Usage worst = fetch(stage, plane, clients, job, maps, reduces).since(before);
    stage.remove(plane, job);
    Usage after = collected(stage, plane).since(before);
    return new Growth(
        new Usage(0, 0, held.heap(), held.direct(), held.files() - connections), worst, after);
  }

  /** All clients at once; the most that was seen of each kind, of the heap after collections. */
  private static Usage fetch(
      Stage stage, Plane plane, List<Child> clients, BenchJob job, int maps, int reduces)
      throws IOException, InterruptedException {
    int port = stage.port(plane);
    ExecutorService threads = Executors.newFixedThreadPool(clients.size());
    try {
      List<Future<String>> running = new ArrayList<>();
      for (int i = 0; i < clients.size(); i++) {
        Child client = clients.get(i);
        int first = i * REDUCES / clients.size();
        String ask =
            "fetch " + port + " " + job.number() + " " + maps + " " + first + " " + reduces;
        running.add(threads.submit(() -> client.ask(ask)));
      }
      Usage worst = collected(stage, plane);
      while (!running.stream().allMatch(Future::isDone)) {
        Thread.sleep(500);
        worst = most(worst, collected(stage, plane));
      }
      for (Future<String> one : running) {
        one.get();
      }
      return worst;
    } catch (ExecutionException e) {
      throw new IOException("a client failed", e.getCause());
    } finally {
      threads.shutdown();
    }
  }

  private static Usage most(Usage one, Usage other) {
    return new Usage(
        other.nanos(),
        other.cpuNanos(),
        Math.max(one.heap(), other.heap()),
        Math.max(one.direct(), other.direct()),
        Math.max(one.files(), other.files()));
  }

  private static Usage collected(Stage stage, Plane plane) throws IOException {
    return Usage.parse(stage.node(plane).ask("collected"));
  }

  private static void row(Table table, String load, Plane plane, Usage grown) {
    table.row(
        load,
        plane.name(),
        grown.heap() / MEGABYTE,
        grown.direct() / MEGABYTE,
        (double) grown.files());
  }

  private static void add(Result result, Growth ours) {
    result
        .with("heap_growth_mb", Math.max(ours.idle().heap(), ours.tiny().heap()) / MEGABYTE)
        .with("direct_growth_mb", Math.max(ours.idle().direct(), ours.tiny().direct()) / MEGABYTE)
        .with("fd_growth", (double) Math.max(ours.idle().files(), ours.tiny().files()));
  }
}
