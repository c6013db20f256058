/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.datapath;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.missioncontrol.bench.datapath.Stage.Outputs;
import org.missioncontrol.bench.host.BenchJob;
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
public final class SmallSegmentsBenchmark implements Benchmark {
  private static final int REDUCES = 16;
  private static final int SEGMENT_BYTES = 2000;
  private static final int WARM_UP_MAPS = 400;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double GOAL = 5;

  /** Made by the command. */
  public SmallSegmentsBenchmark() {}

  @Override
  public String name() {
    return "small-segments";
  }

  @Override
  public String summary() {
    return "16 reducers fetch 2 kB of each of very many maps: segments a second beside stock's";
  }

  @Override
  public String options() {
    return """
          --quick       2 runs (9 without)
          --runs N      so many runs
          --maps N      default 2000
      """;
  }

  @Override
  public Result run(Words words) throws IOException, InterruptedException {
    int runs = words.number("--runs", words.flag("--quick") ? 2 : 9);
    int maps = words.number("--maps", 2000);
    words.none();
    Map<Plane, List<Double>> whole = new EnumMap<>(Plane.class);
    Map<Plane, List<Double>> handler = new EnumMap<>(Plane.class);
    try (Scratch scratch = Scratch.make(name());
        Stage stage = new Stage(scratch.path(), "512m", "1500m")) {
      Child client = stage.child("client", "128m", ClientMain.class);
      Outputs outputs = stage.outputs(REDUCES, SEGMENT_BYTES);
      for (int run = -1; run < runs; run++) {
        Progress.say(run < 0 ? "warming up" : "run " + (run + 1) + " of " + runs);
        int many = run < 0 ? Math.min(maps, WARM_UP_MAPS) : maps;
        for (Plane plane : Plane.values()) {
          double reducers =
              many * REDUCES / stage.shuffle(plane, outputs, many, Stage.INTO_MEMORY).seconds();
          double alone = handler(stage, client, plane, outputs, many);
          if (run >= 0) {
            whole.computeIfAbsent(plane, key -> new ArrayList<>()).add(reducers);
            handler.computeIfAbsent(plane, key -> new ArrayList<>()).add(alone);
          }
        }
      }
    }
    return result(whole, handler);
  }

  /** Segments a second that one connection of a plain client gets. */
  private static double handler(Stage stage, Child client, Plane plane, Outputs outputs, int maps)
      throws IOException {
    BenchJob job = stage.add(plane, outputs, maps);
    String all = " " + job.number() + " " + maps + " 0 " + REDUCES;
    Usage used = Usage.parse(client.ask("fetch " + stage.port(plane) + all));
    stage.remove(plane, job);
    return maps * REDUCES / (used.nanos() / NANOS_PER_SECOND);
  }

  private Result result(Map<Plane, List<Double>> whole, Map<Plane, List<Double>> handler) {
    Table table = new Table("segments/s", "", "median", "min", "max");
    double ratio = ratio(table, "whole path", whole);
    double ratioHandler = ratio(table, "handler", handler);
    System.out.println(table);
    return new Result(name())
        .atLeast("ratio", ratio, GOAL)
        .atLeast("ratio_handler", ratioHandler, GOAL);
  }

  private static double ratio(Table table, String what, Map<Plane, List<Double>> all) {
    Map<Plane, Double> medians = new EnumMap<>(Plane.class);
    all.forEach(
        (plane, rates) -> {
          Summary summary = Summary.of(rates);
          table.row(what, plane.name(), summary.median(), summary.min(), summary.max());
          medians.put(plane, summary.median());
        });
    return medians.getOrDefault(Plane.OURS, 0.0) / medians.getOrDefault(Plane.STOCK, 1.0);
  }
}
