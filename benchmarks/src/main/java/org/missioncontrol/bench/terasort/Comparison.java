/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.terasort;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.missioncontrol.bench.cluster.LocalCluster;
import org.missioncontrol.bench.cluster.NodeSpec;
import org.missioncontrol.bench.kit.Summary;

/**
 * Sorts the same data by stock and by ours in turn. Between sorts the NodeManagers are restarted
 * with the other shuffle service, so that a stock sort has nothing of ours. Owned by the main
 * thread.
 */
final class Comparison {
  private static final String OUTPUT = "/terasort/compared";

  private final LocalCluster cluster;
  private final TeraRun run;
  private final Console console;
  private final NodeSpec ours;
  private final String where;
  private final Map<Plane, List<Double>> seconds = new EnumMap<>(Plane.class);
  private Plane running = Plane.MISSION_CONTROL;

  Comparison(LocalCluster cluster, TeraRun run, Console console, NodeSpec ours, String where) {
    this.cluster = cluster;
    this.run = run;
    this.console = console;
    this.ours = ours;
    this.where = where;
    for (Plane plane : Plane.values()) {
      seconds.put(plane, new ArrayList<>());
    }
  }

  /** Runs the rounds; in each the other plane begins. */
  void run(int rounds, Report report) throws IOException, InterruptedException {
    for (int round = 0; round < rounds; round++) {
      Plane first = round % 2 == 0 ? Plane.STOCK : Plane.MISSION_CONTROL;
      Plane second = first == Plane.STOCK ? Plane.MISSION_CONTROL : Plane.STOCK;
      console.say("round " + (round + 1) + " of " + rounds);
      sort(first, report);
      sort(second, report);
    }
  }

  private void sort(Plane plane, Report report) throws IOException, InterruptedException {
    become(plane);
    Phase sort = run.sort(plane, OUTPUT);
    if (plane == Plane.MISSION_CONTROL && !sort.wasLeasedOrLocal()) {
      report.fail(
          "not every shuffled byte of " + sort.jobId() + " came over a leased flow or from a file");
    }
    run.validate(OUTPUT);
    Verdict verdict = run.verdict(OUTPUT);
    if (!verdict.success()) {
      report.fail(sort.jobId() + ": " + verdict);
    }
    run.discard(OUTPUT);
    seconds.computeIfAbsent(plane, p -> new ArrayList<>()).add(sort.seconds());
  }

  private void become(Plane plane) throws IOException, InterruptedException {
    if (plane == running) {
      return;
    }
    console.say("restarting the NodeManagers with " + plane);
    NodeSpec spec = plane == Plane.STOCK ? NodeSpec.stock().withMemoryMb(ours.memoryMb()) : ours;
    for (int node = 0; node < cluster.nodeCount(); node++) {
      cluster.stop(node);
    }
    for (int node = 0; node < cluster.nodeCount(); node++) {
      cluster.restart(node, spec);
    }
    cluster.awaitNodes(cluster.nodeCount());
    running = plane;
  }

  /** What was compared, and each plane's numbers. */
  String table() {
    return String.format(
        Locale.ROOT,
        """

        TeraSort job, seconds from submission to end, on the same hosts, HDFS and data, in turn.
        STOCK: Hadoop's ShuffleHandler, Hadoop's reducer, no plug-in. MISSION_CONTROL: our three.
        %s
        %s%s""",
        where,
        row(Plane.STOCK),
        row(Plane.MISSION_CONTROL));
  }

  private String row(Plane plane) {
    Summary summary = Summary.of(seconds.getOrDefault(plane, List.of()));
    return String.format(Locale.ROOT, "%-16s %s%n", plane, summary);
  }

  /** The last line. */
  String ratio() {
    double stock = Summary.of(seconds.getOrDefault(Plane.STOCK, List.of())).median();
    double own = Summary.of(seconds.getOrDefault(Plane.MISSION_CONTROL, List.of())).median();
    return String.format(
        Locale.ROOT,
        "ratio of medians, MISSION_CONTROL / STOCK: %.3f (below 1: ours is faster)",
        own / stock);
  }
}
