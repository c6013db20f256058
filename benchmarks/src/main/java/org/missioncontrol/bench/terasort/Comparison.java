/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.terasort;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.missioncontrol.bench.cluster.JobHistory;
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
  private static final double MILLIS = 1000;

  private final LocalCluster cluster;
  private final TeraRun run;
  private final Console console;
  private final NodeSpec ours;
  private final String where;
  private final Map<Plane, List<Double>> jobs = new EnumMap<>(Plane.class);
  private final Map<Plane, List<Double>> shuffles = new EnumMap<>(Plane.class);
  private Plane running = Plane.MISSION_CONTROL;
  private int withPlain;

  Comparison(LocalCluster cluster, TeraRun run, Console console, NodeSpec ours, String where) {
    this.cluster = cluster;
    this.run = run;
    this.console = console;
    this.ours = ours;
    this.where = where;
    for (Plane plane : Plane.values()) {
      jobs.put(plane, new ArrayList<>());
      shuffles.put(plane, new ArrayList<>());
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
      withPlain++;
    }
    run.validate(OUTPUT);
    Verdict verdict = run.verdict(OUTPUT);
    if (!verdict.success()) {
      report.fail(sort.jobId() + ": " + verdict);
    }
    run.discard(OUTPUT);
    List<Double> waits = new JobHistory(cluster.historyWeb()).waits(sort.jobId());
    add(jobs, plane, sort.seconds());
    add(shuffles, plane, Collections.max(waits) / MILLIS);
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

        TeraSort in turn on the same hosts, HDFS and data. Job: seconds from submission to end.
        Shuffle: seconds from the last map's end to the end of the last reducer's shuffle.
        STOCK: Hadoop's ShuffleHandler, Hadoop's reducer, no plug-in. MISSION_CONTROL: our three.
        %s
        Ours of which some bytes came over plain sockets: %d.
        %s%s""",
        where,
        withPlain,
        rows(Plane.STOCK),
        rows(Plane.MISSION_CONTROL));
  }

  private String rows(Plane plane) {
    return String.format(
        Locale.ROOT,
        "%-16s job      %s%n%-16s shuffle  %s%n",
        plane,
        of(jobs, plane),
        plane,
        of(shuffles, plane));
  }

  private static void add(Map<Plane, List<Double>> all, Plane plane, double seconds) {
    all.computeIfAbsent(plane, p -> new ArrayList<>()).add(seconds);
  }

  private static Summary of(Map<Plane, List<Double>> all, Plane plane) {
    return Summary.of(all.getOrDefault(plane, List.of()));
  }

  /** Median of ours over median of stock's. */
  double jobRatio() {
    return of(jobs, Plane.MISSION_CONTROL).median() / of(jobs, Plane.STOCK).median();
  }

  /** The same of the shuffles. */
  double shuffleRatio() {
    return of(shuffles, Plane.MISSION_CONTROL).median() / of(shuffles, Plane.STOCK).median();
  }

  /** The last line. */
  String ratio() {
    return String.format(
        Locale.ROOT,
        "ratio of medians, MISSION_CONTROL / STOCK: %.3f (below 1: ours is faster), shuffle %.3f",
        jobRatio(),
        shuffleRatio());
  }
}
