/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.shortjob;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.mapred.TIPStatus;
import org.apache.hadoop.mapreduce.TaskType;
import org.missioncontrol.bench.cluster.Await;
import org.missioncontrol.bench.cluster.ClusterJob;
import org.missioncontrol.bench.cluster.ContainerLogs;
import org.missioncontrol.bench.cluster.JobHistory;
import org.missioncontrol.bench.cluster.LocalCluster;
import org.missioncontrol.bench.cluster.NodeSpec;
import org.missioncontrol.bench.jobs.SortJob;

/** A cluster with a NodeManager of each plane, of which one runs. Owned by the main thread. */
final class Rig implements AutoCloseable {
  static final int MAPS = 4;
  static final int REDUCES = 2;

  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** From the first sign of all reducers' shuffles on, so that each has asked at least once. */
  private static final int SETTLE_MS = 300;

  private final Setting setting;
  private final LocalCluster cluster;
  private final SplittableRandom random;
  private Plane running = Plane.OURS;
  private int jobs;

  private Rig(Setting setting, LocalCluster cluster) {
    this.setting = setting;
    this.cluster = cluster;
    this.random = new SplittableRandom(setting.seed());
  }

  static Rig start(Setting setting) throws IOException, InterruptedException {
    LocalCluster cluster =
        LocalCluster.in(Files.createTempDirectory("mission-control-short-job-"))
            .temporary()
            .node(NodeSpec.stock())
            .node(NodeSpec.ours())
            .start();
    Rig rig = new Rig(setting, cluster);
    cluster.pause(Plane.STOCK.node());
    return rig;
  }

  /** Moments at which the maps of a job end, milliseconds from the first word to them. */
  int[] ends() {
    return random.ints(MAPS, 0, setting.spreadMs()).sorted().toArray();
  }

  /** Runs a job; milliseconds from its last map's end to the end of each reducer's shuffle. */
  List<Double> run(Plane plane, int[] ends) throws IOException, InterruptedException {
    become(plane);
    int number = ++jobs;
    Path gate = cluster.workDirectory().resolve("gate-" + number);
    SortJob sort = SortJob.of(MAPS, REDUCES, setting.bytesPerMap()).holdingEachMap(gate);
    if (plane == Plane.OURS) {
      sort = sort.onMissionControl();
    }
    String output = cluster.workDirectory().resolve("out-" + number).toString();
    ClusterJob job = cluster.submit(sort.create(cluster.configuration(), output));
    Await.until(
        "the reducers of " + job.id() + " to wait for maps",
        LIMIT,
        () -> shuffling(plane, job),
        cluster::tails);
    Thread.sleep(SETTLE_MS);
    long begin = System.nanoTime();
    for (int map = 0; map < MAPS; map++) {
      Thread.sleep(Math.max(0, ends[map] - (System.nanoTime() - begin) / 1_000_000));
      Files.createFile(Path.of(gate + "." + map));
    }
    job.awaitSuccess(LIMIT);
    return new JobHistory(cluster.historyWeb()).waits(job.id());
  }

  private void become(Plane plane) throws IOException, InterruptedException {
    if (plane != running) {
      cluster.resume(plane.node());
      cluster.pause(plane.other().node());
      running = plane;
    }
  }

  /** Every reducer says in its log that its shuffle begins, and every map runs. */
  private boolean shuffling(Plane plane, ClusterJob job) throws IOException, InterruptedException {
    long reduces =
        ContainerLogs.lines(cluster, job.id()).stream()
            .filter(line -> line.contains(plane.begins()))
            .count();
    return reduces == REDUCES
        && Arrays.stream(job.job().getTaskReports(TaskType.MAP))
            .allMatch(map -> map.getCurrentStatus() == TIPStatus.RUNNING);
  }

  @Override
  public void close() {
    cluster.close();
  }
}
