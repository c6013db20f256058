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
import org.missioncontrol.bench.kit.Benchmark;
import org.missioncontrol.bench.kit.CannotRunException;
import org.missioncontrol.bench.kit.Chart;
import org.missioncontrol.bench.kit.Csv;
import org.missioncontrol.bench.kit.Progress;
import org.missioncontrol.bench.kit.Result;
import org.missioncontrol.bench.kit.Scratch;
import org.missioncontrol.bench.kit.Summary;
import org.missioncontrol.bench.kit.Table;
import org.missioncontrol.bench.kit.Words;
import org.missioncontrol.bench.net.Dctcp;
import org.missioncontrol.bench.net.Topology;

/** See {@link #summary} and {@link #options}. Immutable. */
public final class DctcpBenchmark implements Benchmark {
  private static final List<Kind> KINDS =
      List.of(new Kind("tcp", "cubic"), new Kind("tcp-ecn", "ecn"), new Kind("dctcp", "dctcp"));

  private static final double KILO = 1e3;

  /** Name here, and the job's transport. */
  private record Kind(String name, String transport) {}

  /** Made by the command. */
  public DctcpBenchmark() {}

  @Override
  public String name() {
    return "dctcp";
  }

  @Override
  public String summary() {
    return "the thesis' experiment: a sort's shuffle over TCP, TCP with ECN and DCTCP";
  }

  @Override
  public String options() {
    return """
        --quick           star only, one short run of each
        --flows N         flows of a reducer to each map host               (default 2)
      """
        + SortSetting.OPTIONS
        + """
      Each host has a reducer that fetches from all other hosts, over a star and over two racks whose
      trunk is as fast as one host. Ports mark ECN packets (CE) above 97 % of their rate. seconds: to the
      last byte of the last reducer; jain: of the flows' rates in the middle of the shuffle; queue_p95: of
      the longest queue of all ports, looked at each 40 ms. The thesis saw DCTCP at 0.80 of TCP's time
      on a star and at 0.91 on two racks.
      """;
  }

  @Override
  public Result run(Words words) throws IOException, InterruptedException {
    boolean quick = words.flag("--quick");
    int flows = words.number("--flows", 2);
    SortSetting setting = SortSetting.parse(words, quick);
    words.none();
    List<Topology> topologies = quick ? List.of(Topology.STAR) : List.of(Topology.values());
    Result result = new Result(name());
    Csv runs = new Csv("topology", "transport", "run", "seconds", "jain", "flows", "queue_p95");
    Csv queues = new Csv("topology", "transport", "run", "ms", "port", "bytes");
    Table table =
        new Table("topology", "transport", "seconds", "to tcp", "jain", "flows", "queue p95, kB");
    try (Dctcp dctcp = Dctcp.up()) {
      if (!dctcp.there()) {
        throw new CannotRunException("the kernel has no dctcp and none can be registered");
      }
      for (Topology topology : topologies) {
        Map<String, List<SortRun>> all = measure(topology, setting, flows);
        all.forEach((name, some) -> record(topology, name, some, runs, queues));
        report(topology, all, table, result);
        chart(topology, all, setting);
      }
    }
    runs.write(setting.out().resolve("dctcp-runs.csv"));
    queues.write(setting.out().resolve("dctcp-queues.csv"));
    System.out.println(table);
    System.out.println("CSV and PNG are in " + setting.out());
    return result;
  }

  private static Map<String, List<SortRun>> measure(
      Topology topology, SortSetting setting, int flows) throws IOException, InterruptedException {
    Map<String, List<SortRun>> all = new LinkedHashMap<>();
    try (Scratch scratch = Scratch.make("dctcp");
        SortBed bed = new SortBed(setting, topology, scratch.path())) {
      Progress.say(topology.label() + ": warming up");
      bed.shuffle(setting.hosts(), flows, keys("cubic"));
      for (int run = 1; run <= setting.runs(); run++) {
        for (Kind kind : KINDS) {
          SortRun measured = bed.shuffle(setting.hosts(), flows, keys(kind.transport()));
          Progress.say(topology.label() + " " + kind.name() + ": " + measured.seconds() + " s");
          all.computeIfAbsent(kind.name(), name -> new ArrayList<>()).add(measured);
        }
      }
    }
    return all;
  }

  private static List<String> keys(String transport) {
    return List.of("mapreduce.mission-control.transport=" + transport);
  }

  private static void record(
      Topology topology, String transport, List<SortRun> some, Csv runs, Csv queues) {
    for (int i = 0; i < some.size(); i++) {
      SortRun run = some.get(i);
      int number = i + 1;
      runs.row(
          topology.label(),
          transport,
          number,
          run.seconds(),
          run.jain(),
          run.flowRates().size(),
          run.queueP95());
      for (SortRun.Look look : run.looks()) {
        look.bytes()
            .forEach(
                (port, bytes) ->
                    queues.row(topology.label(), transport, number, look.ms(), port, bytes));
      }
    }
  }

  private static void report(
      Topology topology, Map<String, List<SortRun>> all, Table table, Result result) {
    double tcp = seconds(all.getOrDefault("tcp", List.of())).median();
    Map<String, Object> trees = new LinkedHashMap<>();
    all.forEach(
        (name, some) -> {
          Summary seconds = seconds(some);
          Summary jain = Summary.of(some.stream().map(SortRun::jain).toList());
          Summary queue = Summary.of(some.stream().map(SortRun::queueP95).toList());
          Summary flows =
              Summary.of(some.stream().map(run -> 1.0 * run.flowRates().size()).toList());
          Map<String, Object> tree = new LinkedHashMap<>();
          tree.put("seconds", seconds.median());
          tree.put("seconds_min", seconds.min());
          tree.put("seconds_max", seconds.max());
          tree.put("ratio_to_tcp", seconds.median() / tcp);
          tree.put("jain", jain.median());
          tree.put("queue_bytes_p95", queue.median());
          trees.put(name, tree);
          table.row(
              topology.label(),
              name,
              seconds.toString(),
              seconds.median() / tcp,
              jain.median(),
              flows.median(),
              queue.median() / KILO);
        });
    result.with(topology.label(), trees);
  }

  private static Summary seconds(List<SortRun> runs) {
    return Summary.of(runs.stream().map(SortRun::seconds).toList());
  }

  private static void chart(Topology topology, Map<String, List<SortRun>> all, SortSetting setting)
      throws IOException {
    Chart chart =
        new Chart(
            "Longest queue of all ports, last run, " + topology.label(),
            "seconds since the start of the shuffle",
            "kB");
    all.forEach(
        (name, some) -> {
          SortRun last = some.get(some.size() - 1);
          chart.line(name, last.times(), last.longestKilobytes());
        });
    chart.write(setting.out().resolve("dctcp-queue-" + topology.label() + ".png"));
  }
}
