/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.datapath;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.missioncontrol.bench.datapath.Stage.Outputs;
import org.missioncontrol.bench.host.Plane;
import org.missioncontrol.bench.kit.Benchmark;
import org.missioncontrol.bench.kit.Chart;
import org.missioncontrol.bench.kit.Csv;
import org.missioncontrol.bench.kit.Progress;
import org.missioncontrol.bench.kit.Result;
import org.missioncontrol.bench.kit.Scratch;
import org.missioncontrol.bench.kit.Summary;
import org.missioncontrol.bench.kit.Table;
import org.missioncontrol.bench.kit.Words;

/** See {@link #summary} and {@link #options}. Immutable. */
public final class SegmentSizesBenchmark implements Benchmark {
  private static final int REDUCES = 4;
  private static final int MOST_MAPS = 2000;
  private static final double MEGABYTE = 1e6;
  private static final List<Integer> KILOBYTES = List.of(1, 4, 16, 64, 256, 1024, 8192);
  private static final List<Integer> FEW_KILOBYTES = List.of(2, 64, 1024);

  /** Made by the command. */
  public SegmentSizesBenchmark() {}

  @Override
  public String name() {
    return "segment-sizes";
  }

  @Override
  public String summary() {
    return "MB/s of a shuffle into memory against the size of its segments, beside stock's";
  }

  @Override
  public String options() {
    return """
          --quick         3 sizes and 2 runs (7 sizes and 7 runs without)
          --runs N        so many runs
          --megabytes N   most that a shuffle moves                  (default 128)
          --out DIR       where segment-sizes.csv and .png go        (default target/bench)
      """;
  }

  @Override
  public Result run(Words words) throws IOException, InterruptedException {
    boolean quick = words.flag("--quick");
    int runs = words.number("--runs", quick ? 2 : 7);
    long most = words.number("--megabytes", 128) * (long) MEGABYTE;
    Path out = Path.of(words.text("--out", "target/bench"));
    words.none();
    Map<Integer, List<Double>> stock = new TreeMap<>();
    Map<Integer, List<Double>> ours = new TreeMap<>();
    try (Scratch scratch = Scratch.make(name());
        Stage stage = new Stage(scratch.path(), "512m", "1500m")) {
      Map<Integer, Outputs> outputs = new TreeMap<>();
      for (int kilobytes : quick ? FEW_KILOBYTES : KILOBYTES) {
        outputs.put(kilobytes, stage.outputs(REDUCES, kilobytes * 1000));
      }
      for (int run = -1; run < runs; run++) {
        Progress.say(run < 0 ? "warming up" : "run " + (run + 1) + " of " + runs);
        for (Map.Entry<Integer, Outputs> size : outputs.entrySet()) {
          for (Plane plane : Plane.values()) {
            double rate = rate(stage, plane, size.getValue(), most);
            if (run >= 0) {
              (plane == Plane.OURS ? ours : stock)
                  .computeIfAbsent(size.getKey(), key -> new ArrayList<>())
                  .add(rate);
            }
          }
        }
      }
    }
    return report(stock, ours, out);
  }

  private static double rate(Stage stage, Plane plane, Outputs outputs, long most)
      throws IOException {
    long ofMap = outputs.segmentBytes() * REDUCES;
    int maps = (int) Math.max(1, Math.min(MOST_MAPS, most / ofMap));
    return maps
        * ofMap
        / MEGABYTE
        / stage.shuffle(plane, outputs, maps, Stage.INTO_MEMORY).seconds();
  }

  private Result report(
      Map<Integer, List<Double>> stockRates, Map<Integer, List<Double>> oursRates, Path out)
      throws IOException {
    Table table = new Table("kB a segment", "stock, MB/s", "ours, MB/s", "ratio");
    Csv csv = new Csv("kilobytes", "plane", "run", "mb_s");
    Map<Integer, Double> stock = medians(Plane.STOCK, stockRates, csv);
    Map<Integer, Double> ours = medians(Plane.OURS, oursRates, csv);
    Map<String, Object> ratios = new TreeMap<>();
    stock.forEach(
        (kilobytes, median) -> {
          double ratio = ours.getOrDefault(kilobytes, Double.NaN) / median;
          table.row(
              kilobytes,
              Summary.of(stockRates.getOrDefault(kilobytes, List.of())).toString(),
              Summary.of(oursRates.getOrDefault(kilobytes, List.of())).toString(),
              ratio);
          ratios.put(String.format(Locale.ROOT, "%05d_kb", kilobytes), ratio);
        });
    new Chart("A shuffle into memory, loopback", "kB a segment", "MB/s")
        .logarithmicX()
        .line("stock", stock)
        .line("ours", ours)
        .write(out.resolve("segment-sizes.png"));
    csv.write(out.resolve("segment-sizes.csv"));
    System.out.println(table);
    System.out.println("CSV and PNG are in " + out);
    return new Result(name()).with("ratio", ratios);
  }

  private static Map<Integer, Double> medians(
      Plane plane, Map<Integer, List<Double>> rates, Csv csv) {
    Map<Integer, Double> medians = new TreeMap<>();
    rates.forEach(
        (kilobytes, all) -> {
          medians.put(kilobytes, Summary.of(all).median());
          for (int run = 0; run < all.size(); run++) {
            csv.row(kilobytes, plane, run + 1, all.get(run));
          }
        });
    return medians;
  }
}
