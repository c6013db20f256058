/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.datapath;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.missioncontrol.bench.datapath.Stage.Outputs;
import org.missioncontrol.bench.datapath.Stage.Shuffled;
import org.missioncontrol.bench.host.Child;
import org.missioncontrol.bench.host.Plane;
import org.missioncontrol.bench.kit.Benchmark;
import org.missioncontrol.bench.kit.Progress;
import org.missioncontrol.bench.kit.Result;
import org.missioncontrol.bench.kit.Scratch;
import org.missioncontrol.bench.kit.Summary;
import org.missioncontrol.bench.kit.Table;
import org.missioncontrol.bench.kit.Words;

/** See {@link #summary} and {@link #options}. Immutable. */
public final class LocalBenchmark implements Benchmark {
  private static final double MEGA = 1e6;
  private static final double GIGA = 1e9;
  private static final double GOAL = 3;

  /** Runs that are not counted: until then the compilers have more to do than the shuffle. */
  private static final int WARM_UP = 3;

  private static final String HEAP = "2g";
  private static final String FILES_PASSED = "/counters/DoorFilesPassed";

  /** Made by the command. */
  public LocalBenchmark() {}

  @Override
  public String name() {
    return "local";
  }

  @Override
  public String summary() {
    return "reducers on the maps' host: MB/s beside stock's";
  }

  @Override
  public String options() {
    return """
          --quick       5 runs of each case (11 without)
          --runs N      so many runs of each case
          --reducers N  of the job, default 2
          --megabytes N fetched in each run by all, default 512, with --quick 384
          --disk        cases that write to disk too, of which the ratio is not made
      """;
  }

  /** Size of a segment and the place that outputs go to. */
  private record Case(String name, int bytes, boolean disk) {}

  private record Measured(Map<Plane, List<Double>> rates, Map<Plane, List<Double>> cpus) {}

  @Override
  public Result run(Words words) throws IOException, InterruptedException {
    boolean quick = words.flag("--quick");
    int runs = words.number("--runs", quick ? 5 : 11);
    int reducers = words.number("--reducers", 2);
    int megabytes = words.number("--megabytes", quick ? 384 : 512);
    List<Case> cases = new ArrayList<>();
    cases.add(new Case("1 MiB, memory", 1 << 20, false));
    cases.add(new Case("64 MiB, memory", 64 << 20, false));
    if (words.flag("--disk")) {
      cases.add(new Case("1 MiB, disk", 1 << 20, true));
      cases.add(new Case("64 MiB, disk", 64 << 20, true));
    }
    words.none();
    List<Measured> all = new ArrayList<>();
    try (Scratch scratch = Scratch.make(name());
        Stage stage = new Stage(scratch.path(), "512m", HEAP, true)) {
      for (Case one : cases) {
        Progress.say(one.name());
        Outputs outputs = stage.outputs(reducers, one.bytes());
        int maps = (int) Math.max(1, ((long) megabytes << 20) / reducers / one.bytes());
        all.add(measure(stage, outputs, maps, one, runs));
      }
    }
    return result(cases, all);
  }

  private static Measured measure(Stage stage, Outputs outputs, int maps, Case one, int runs)
      throws IOException {
    Measured measured = new Measured(new EnumMap<>(Plane.class), new EnumMap<>(Plane.class));
    double bytes = (double) outputs.segmentBytes() * maps * outputs.partitions();
    for (int run = -WARM_UP; run < runs; run++) {
      for (Plane plane : Plane.values()) {
        long before = plane == Plane.OURS ? passed(stage) : 0;
        Shuffled shuffled = stage.shuffle(plane, outputs, maps, keys(one));
        long files = plane == Plane.OURS ? passed(stage) - before : 0;
        if (plane == Plane.OURS && files != (long) maps * outputs.partitions()) {
          throw new IOException(files + " outputs were read from files, not all: see the logs");
        }
        if (run >= 0) {
          measured
              .rates()
              .computeIfAbsent(plane, key -> new ArrayList<>())
              .add(bytes / MEGA / shuffled.seconds());
          measured
              .cpus()
              .computeIfAbsent(plane, key -> new ArrayList<>())
              .add(shuffled.cpuSeconds() * GIGA / bytes);
        }
      }
    }
    return measured;
  }

  /** Map outputs that our NodeManager has passed as files since it began. */
  private static long passed(Stage stage) throws IOException {
    URI status =
        URI.create(
            "http://" + Child.HERE + ":" + stage.port(Plane.OURS) + "/missionControl/v1/status");
    return new ObjectMapper().readTree(status.toURL()).at(FILES_PASSED).asLong(-1);
  }

  private static List<String> keys(Case one) {
    return List.of(
        "bench.merge=hadoop",
        "mapreduce.reduce.memory.totalbytes=" + (one.disk() ? 1_900_000_000 : 900_000_000),
        "mapreduce.task.io.sort.factor=100000",
        "mapreduce.reduce.shuffle.merge.percent=0.99",
        "mapreduce.reduce.shuffle.input.buffer.percent=0.95",
        "mapreduce.reduce.input.buffer.percent=1.0",
        "mapreduce.reduce.shuffle.memory.limit.percent=" + (one.disk() ? "0.0000001" : "0.5"));
  }

  private Result result(List<Case> cases, List<Measured> all) {
    Table table = new Table("case", "", "MB/s", "min", "max", "cpu s/GB", "of stock");
    double ratio = Double.MAX_VALUE;
    for (int i = 0; i < cases.size(); i++) {
      Measured one = all.get(i);
      double stock = median(one.rates(), Plane.STOCK);
      for (Plane plane : Plane.values()) {
        Summary rate = Summary.of(one.rates().getOrDefault(plane, List.of()));
        table.row(
            cases.get(i).name(),
            plane.name(),
            rate.median(),
            rate.min(),
            rate.max(),
            median(one.cpus(), plane),
            rate.median() / stock);
      }
      if (!cases.get(i).disk()) {
        ratio = Math.min(ratio, median(one.rates(), Plane.OURS) / stock);
      }
    }
    System.out.println(table);
    return new Result(name()).atLeast("ratio", ratio, GOAL);
  }

  private static double median(Map<Plane, List<Double>> values, Plane plane) {
    return Summary.of(values.getOrDefault(plane, List.of())).median();
  }
}
