/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.sort;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.missioncontrol.bench.kit.Benchmark;
import org.missioncontrol.bench.kit.Chart;
import org.missioncontrol.bench.kit.Csv;
import org.missioncontrol.bench.kit.Progress;
import org.missioncontrol.bench.kit.Result;
import org.missioncontrol.bench.kit.Scratch;
import org.missioncontrol.bench.kit.Summary;
import org.missioncontrol.bench.kit.Table;
import org.missioncontrol.bench.kit.Words;
import org.missioncontrol.bench.net.Topology;

/** See {@link #summary} and {@link #options}. Immutable. */
public final class FlowsBenchmark implements Benchmark {
  private static final double ENOUGH = 1.02;

  /** Made by the command. */
  public FlowsBenchmark() {}

  @Override
  public String name() {
    return "flows";
  }

  @Override
  public String summary() {
    return "shuffle time against the connections of a reducer to each map host";
  }

  @Override
  public String options() {
    return """
        --quick           1, 4 and 16 connections, 1 and 4 receivers, one short run of each
        --cc NAME         congestion control                                (default cubic)
      """
        + SortSetting.OPTIONS
        + """
      One to four hosts have a reducer that fetches from all other hosts, over a star, with 1, 2, 4, 8
      and 16 connections to each of them. to ideal: shuffle time to what the receiver's link needs
      for the bytes. enough: the fewest connections within 2 % of the best.
      """;
  }

  @Override
  public Result run(Words words) throws IOException, InterruptedException {
    boolean quick = words.flag("--quick");
    List<String> keys =
        List.of("mapreduce.mission-control.transport=" + words.text("--cc", "cubic"));
    SortSetting setting = SortSetting.parse(words, quick);
    words.none();
    List<Integer> connections = quick ? List.of(1, 4, 16) : List.of(1, 2, 4, 8, 16);
    List<Integer> receivers =
        (quick ? List.of(1, 4) : List.of(1, 2, 3, 4))
            .stream().filter(number -> number <= setting.hosts()).toList();
    Map<Integer, Map<Integer, List<Double>>> all = new TreeMap<>();
    double ideal;
    try (Scratch scratch = Scratch.make(name());
        SortBed bed = new SortBed(setting, Topology.STAR, scratch.path())) {
      ideal = bed.idealSeconds();
      Progress.say("warming up");
      bed.shuffle(setting.hosts(), 2, keys);
      for (int run = 1; run <= setting.runs(); run++) {
        for (int hosts : receivers) {
          for (int each : connections) {
            double seconds = bed.shuffle(hosts, each, keys).seconds();
            Progress.say(hosts + " receivers, " + each + " connections: " + seconds + " s");
            all.computeIfAbsent(hosts, number -> new TreeMap<>())
                .computeIfAbsent(each, number -> new ArrayList<>())
                .add(seconds);
          }
        }
      }
    }
    return report(all, ideal, setting);
  }

  private Result report(
      Map<Integer, Map<Integer, List<Double>>> all, double ideal, SortSetting setting)
      throws IOException {
    Table table = new Table("receivers", "connections", "seconds", "to ideal");
    Csv csv = new Csv("receivers", "connections", "run", "seconds", "ideal_seconds");
    Chart chart = new Chart("Shuffle time", "connections of a reducer to each map host", "seconds");
    Map<String, Object> enough = new LinkedHashMap<>();
    Map<String, Object> trees = new LinkedHashMap<>();
    all.forEach(
        (hosts, byConnections) -> {
          Map<Integer, Double> medians = new TreeMap<>();
          byConnections.forEach(
              (each, seconds) -> {
                Summary summary = Summary.of(seconds);
                medians.put(each, summary.median());
                table.row(hosts, each, summary.toString(), summary.median() / ideal);
                for (int run = 0; run < seconds.size(); run++) {
                  csv.row(hosts, each, run + 1, seconds.get(run), ideal);
                }
              });
          chart.line(hosts + " receivers", medians);
          enough.put(hosts.toString(), enough(medians));
          trees.put(hosts.toString(), medians);
        });
    csv.write(setting.out().resolve("flows.csv"));
    chart.write(setting.out().resolve("flows.png"));
    System.out.println(table);
    System.out.println("CSV and PNG are in " + setting.out());
    return new Result(name())
        .with("ideal_seconds", ideal)
        .with("seconds", trees)
        .with("enough", enough);
  }

  private static int enough(Map<Integer, Double> medians) {
    double best =
        medians.values().stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN);
    return medians.entrySet().stream()
        .filter(one -> one.getValue() <= best * ENOUGH)
        .mapToInt(Map.Entry::getKey)
        .min()
        .orElse(0);
  }
}
