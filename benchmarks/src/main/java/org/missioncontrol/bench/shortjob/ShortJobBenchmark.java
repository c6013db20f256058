/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.shortjob;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.missioncontrol.bench.kit.Benchmark;
import org.missioncontrol.bench.kit.Progress;
import org.missioncontrol.bench.kit.Result;
import org.missioncontrol.bench.kit.Summary;
import org.missioncontrol.bench.kit.Table;
import org.missioncontrol.bench.kit.Words;

/** See {@link #summary} and {@link #options}. Immutable. */
public final class ShortJobBenchmark implements Benchmark {
  private static final double GOAL = 0.2;

  /** Made by the command. */
  public ShortJobBenchmark() {}

  @Override
  public String name() {
    return "short-job";
  }

  @Override
  public String summary() {
    return "from the last map's end to the reducers' last byte, beside stock";
  }

  @Override
  public String options() {
    return Setting.OPTIONS;
  }

  @Override
  public Result run(Words words) throws IOException, InterruptedException {
    Setting setting = Setting.parse(words);
    Map<Plane, List<Double>> waits = new EnumMap<>(Plane.class);
    Progress.say("starting a cluster");
    try (Rig rig = Rig.start(setting)) {
      for (int round = 0; round < setting.rounds(); round++) {
        int[] ends = rig.ends();
        for (Plane plane : Plane.values()) {
          List<Double> found = rig.run(plane, ends);
          Progress.say(plane + ", maps end at " + Arrays.toString(ends) + " ms: " + found + " ms");
          waits.computeIfAbsent(plane, p -> new ArrayList<>()).addAll(found);
        }
      }
    }
    return result(waits);
  }

  private Result result(Map<Plane, List<Double>> waits) {
    Table table = new Table("from the last map's end, ms", "median", "min", "max", "reducers");
    Map<Plane, Double> medians = new EnumMap<>(Plane.class);
    waits.forEach(
        (plane, found) -> {
          Summary summary = Summary.of(found);
          medians.put(plane, summary.median());
          table.row(plane, summary.median(), summary.min(), summary.max(), (double) found.size());
        });
    System.out.println(table);
    double stock = medians.getOrDefault(Plane.STOCK, Double.NaN);
    double ours = medians.getOrDefault(Plane.OURS, Double.NaN);
    return new Result(name())
        .atMost("ratio", ours / stock, GOAL)
        .with("stock_ms", stock)
        .with("ours_ms", ours);
  }
}
