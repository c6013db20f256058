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
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.missioncontrol.bench.datapath.Stage.Outputs;
import org.missioncontrol.bench.datapath.Stage.Shuffled;
import org.missioncontrol.bench.host.Child;
import org.missioncontrol.bench.host.Plane;
import org.missioncontrol.bench.host.Usage;
import org.missioncontrol.bench.kit.Benchmark;
import org.missioncontrol.bench.kit.Progress;
import org.missioncontrol.bench.kit.Result;
import org.missioncontrol.bench.kit.Scratch;
import org.missioncontrol.bench.kit.Summary;
import org.missioncontrol.bench.kit.Table;
import org.missioncontrol.bench.kit.Words;

/** See {@link #summary} and {@link #options}. Immutable. */
public final class ThroughputBenchmark implements Benchmark {
  private static final double MEGA = 1e6;
  private static final double GIGA = 1e9;
  private static final double RATE_GOAL = 2;
  private static final double CPU_GOAL = 0.5;
  private static final double LIMIT_GOAL = 0.8;
  private static final String HEAP = "2g";

  /** Bytes that a reducer's memory takes of outputs, more than a run has. */
  private static final String REDUCE_MEMORY = "mapreduce.reduce.memory.totalbytes=1900000000";

  /** Made by the command. */
  public ThroughputBenchmark() {}

  @Override
  public String name() {
    return "throughput";
  }

  @Override
  public String summary() {
    return "one reducer and one map host, large segments: MB/s and processor time beside stock's";
  }

  @Override
  public String options() {
    return """
          --quick       3 runs of each case (11 without)
          --runs N      so many runs of each case
          --megabytes N moved in each run, default 512, with --quick 192
          --warm N      so many runs of each case before, not counted, default 10, with --quick 4
          --case TEXT   only cases whose names have it, such as "1 MiB, disk"
          --encrypt     ours also with mapreduce.mission-control.encryption=required, in turn
      """;
  }

  private static final List<Case> CASES =
      List.of(
          new Case("1 MiB, memory", 1, false),
          new Case("1 MiB, disk", 1, true),
          new Case("64 MiB, memory", 64, false),
          new Case("64 MiB, disk", 64, true));

  /** Sizes of a segment and the place that outputs go to. */
  private record Case(String name, int megabytes, boolean disk) {}

  /** What was measured of one case. */
  private static final class Measured {
    private final Map<Plane, List<Double>> rates = new EnumMap<>(Plane.class);
    private final Map<Plane, List<Double>> cpus = new EnumMap<>(Plane.class);
    private final List<Double> encrypted = new ArrayList<>();
    private final List<Double> encryptedCpu = new ArrayList<>();
    private final List<Double> bare = new ArrayList<>();
    private final List<Double> bareCpu = new ArrayList<>();
    private final List<Double> bareLikeCase = new ArrayList<>();

    private List<Double> rates(Plane plane) {
      return rates.computeIfAbsent(plane, key -> new ArrayList<>());
    }

    private List<Double> cpus(Plane plane) {
      return cpus.computeIfAbsent(plane, key -> new ArrayList<>());
    }
  }

  @Override
  public Result run(Words words) throws IOException, InterruptedException {
    boolean quick = words.flag("--quick");
    int runs = words.number("--runs", quick ? 3 : 11);
    int megabytes = words.number("--megabytes", quick ? 192 : 512);
    int warm = words.number("--warm", quick ? 4 : 10);
    String only = words.text("--case", "");
    boolean encrypt = words.flag("--encrypt");
    words.none();
    List<Case> cases = CASES.stream().filter(one -> one.name().contains(only)).toList();
    if (cases.isEmpty()) {
      throw new IllegalArgumentException("no case is like \"" + only + "\" among " + CASES);
    }
    List<Measured> all = new ArrayList<>();
    try (Scratch scratch = Scratch.make(name());
        Stage stage = new Stage(scratch.path(), "512m", HEAP)) {
      Child server = stage.child("bare-server", "256m", BareMain.class);
      Child reader = stage.child("bare-reader", "256m", BareMain.class);
      for (Case one : cases) {
        Progress.say(one.name());
        all.add(measure(stage, scratch.path(), server, reader, one, warm, runs, megabytes));
        if (encrypt) {
          encrypted(stage, one, warm, runs, megabytes, all.get(all.size() - 1));
        }
      }
    }
    return result(cases, all);
  }

  private static Measured measure(
      Stage stage,
      Path root,
      Child server,
      Child reader,
      Case one,
      int warm,
      int runs,
      int megabytes)
      throws IOException {
    Measured measured = new Measured();
    Outputs outputs = stage.outputs(1, one.megabytes() << 20);
    int maps = Math.max(1, megabytes / one.megabytes());
    double bytes = (double) outputs.segmentBytes() * maps;
    String port = server.ask("serve " + outputs.one().data());
    String copy = root.resolve("bare-copy").toString();
    String ask = "read " + port + " " + outputs.segmentBytes() + " " + maps;
    for (int run = -warm; run < runs; run++) {
      for (Plane plane : inTurn(run)) {
        Shuffled shuffled = stage.shuffle(plane, outputs, maps, keys(one));
        if (run >= 0) {
          measured.rates(plane).add(bytes / MEGA / shuffled.seconds());
          measured.cpus(plane).add(shuffled.cpuSeconds() * GIGA / bytes);
        }
      }
      Usage before = Usage.parse(server.ask("usage"));
      Usage read = Usage.parse(reader.ask(ask));
      Usage sent = Usage.parse(server.ask("usage")).since(before);
      Usage like = one.disk() ? Usage.parse(reader.ask(ask + " " + copy)) : read;
      if (run >= 0) {
        measured.bare.add(bytes / MEGA / (read.nanos() / GIGA));
        measured.bareCpu.add((read.cpuNanos() + sent.cpuNanos()) / bytes);
        measured.bareLikeCase.add(bytes / MEGA / (like.nanos() / GIGA));
      }
      Files.deleteIfExists(Path.of(copy));
    }
    return measured;
  }

  /** Who comes second finds the pages dirty that the first has written. */
  private static List<Plane> inTurn(int run) {
    return run % 2 == 0 ? List.of(Plane.STOCK, Plane.OURS) : List.of(Plane.OURS, Plane.STOCK);
  }

  /** Encrypted and in clear in turn; those in clear count with the others. */
  private static void encrypted(
      Stage stage, Case one, int warm, int runs, int megabytes, Measured measured)
      throws IOException {
    Outputs outputs = stage.outputs(1, one.megabytes() << 20);
    int maps = Math.max(1, megabytes / one.megabytes());
    double bytes = (double) outputs.segmentBytes() * maps;
    List<String> keys = new ArrayList<>(keys(one));
    keys.add("mapreduce.mission-control.encryption=required");
    for (int run = -warm; run < runs; run++) {
      Shuffled clear = stage.shuffle(Plane.OURS, outputs, maps, keys(one));
      Shuffled secret = stage.shuffle(Plane.OURS, outputs, maps, keys);
      if (run >= 0) {
        measured.rates(Plane.OURS).add(bytes / MEGA / clear.seconds());
        measured.cpus(Plane.OURS).add(clear.cpuSeconds() * GIGA / bytes);
        measured.encrypted.add(bytes / MEGA / secret.seconds());
        measured.encryptedCpu.add(secret.cpuSeconds() * GIGA / bytes);
      }
    }
  }

  private static List<String> keys(Case one) {
    return List.of(
        "bench.merge=hadoop",
        REDUCE_MEMORY,
        "mapreduce.task.io.sort.factor=100000",
        "mapreduce.reduce.shuffle.merge.percent=0.99",
        "mapreduce.reduce.shuffle.input.buffer.percent=0.95",
        "mapreduce.reduce.input.buffer.percent=1.0",
        "mapreduce.reduce.shuffle.memory.limit.percent=" + (one.disk() ? "0.0000001" : "0.5"));
  }

  private Result result(List<Case> cases, List<Measured> all) {
    Table table =
        new Table("case", "", "MB/s", "min", "max", "cpu s/GB", "min", "max", "of bare loop");
    double rate = Double.MAX_VALUE;
    double cpu = 0;
    double limit = Double.MAX_VALUE;
    double encrypted = Double.MAX_VALUE;
    for (int i = 0; i < cases.size(); i++) {
      Measured one = all.get(i);
      Summary bare = Summary.of(one.bare);
      for (Plane plane : Plane.values()) {
        row(table, cases.get(i).name(), plane.name(), one.rates(plane), one.cpus(plane), bare);
      }
      if (!one.encrypted.isEmpty()) {
        row(table, cases.get(i).name(), "OURS, TLS", one.encrypted, one.encryptedCpu, bare);
        double clear = Summary.of(one.rates(Plane.OURS)).median();
        encrypted = Math.min(encrypted, Summary.of(one.encrypted).median() / clear);
      }
      row(table, cases.get(i).name(), "bare loop", one.bare, one.bareCpu, bare);
      if (cases.get(i).disk()) {
        row(table, cases.get(i).name(), "bare loop to disk", one.bareLikeCase, List.of(), bare);
      }
      double ours = Summary.of(one.rates(Plane.OURS)).median();
      rate = Math.min(rate, ours / Summary.of(one.rates(Plane.STOCK)).median());
      cpu =
          Math.max(
              cpu,
              Summary.of(one.cpus(Plane.OURS)).median()
                  / Summary.of(one.cpus(Plane.STOCK)).median());
      limit = Math.min(limit, ours / bare.median());
    }
    System.out.println(table);
    Result result =
        new Result(name())
            .atLeast("ratio_mb_s", rate, RATE_GOAL)
            .atMost("ratio_cpu_per_gb", cpu, CPU_GOAL)
            .atLeast("of_limit", limit, LIMIT_GOAL);
    return encrypted == Double.MAX_VALUE
        ? result
        : result.atLeast("encrypted_ratio_mb_s", encrypted, LIMIT_GOAL);
  }

  private static void row(
      Table table, String name, String who, List<Double> rates, List<Double> cpus, Summary bare) {
    Summary rate = Summary.of(rates);
    Summary cpu = cpus.isEmpty() ? new Summary(0, 0, 0, 0) : Summary.of(cpus);
    table.row(
        name,
        who,
        rate.median(),
        rate.min(),
        rate.max(),
        cpu.median(),
        cpu.min(),
        cpu.max(),
        rate.median() / bare.median());
  }
}
