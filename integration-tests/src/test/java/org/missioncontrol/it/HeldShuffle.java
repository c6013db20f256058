/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.it;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.missioncontrol.bench.cluster.Await;
import org.missioncontrol.bench.cluster.LocalCluster;
import org.missioncontrol.bench.cluster.NodeSpec;
import org.missioncontrol.bench.jobs.SortJob;

/**
 * A cluster whose shuffles last as long as a test wants: maps and ApplicationMasters run on host
 * {@link #MAPS}, reducers on host {@link #REDUCES}. While the NodeManager of the maps' host is
 * paused, reducers hold the flows that they were granted, and not a byte moves. Owned by the test.
 */
final class HeldShuffle implements AutoCloseable {
  static final int MAPS = 0;
  static final int REDUCES = 1;

  private static final int MAPS_HOST_MB = 3072;

  private final LocalCluster cluster;
  private final Sorts sorts;

  private HeldShuffle(LocalCluster cluster) {
    this.cluster = cluster;
    this.sorts = new Sorts(cluster);
  }

  /** Starts the hosts; {@code reduces} is the one that shares flows among jobs. */
  static HeldShuffle on(Path work, NodeSpec reduces) throws IOException, InterruptedException {
    return new HeldShuffle(
        LocalCluster.in(work)
            .node(NodeSpec.ours().withMemoryMb(MAPS_HOST_MB))
            .node(reduces.withMemoryMb(16 * MAPS_HOST_MB))
            .start());
  }

  LocalCluster cluster() {
    return cluster;
  }

  Sorts sorts() {
    return sorts;
  }

  /** Runs the maps of all jobs on the maps' host; then their reducers begin, and are held. */
  List<Sorts.Running> begin(List<SortJob> jobs) throws IOException, InterruptedException {
    cluster.pause(REDUCES);
    List<Sorts.Running> begun = new ArrayList<>();
    for (SortJob job : jobs) {
      begun.add(
          sorts.submit(
              job.with("mapreduce.job.reduce.slowstart.completedmaps", 1)
                  .with("mapreduce.reduce.memory.mb", MAPS_HOST_MB + 1)));
    }
    for (Sorts.Running job : begun) {
      Await.until(
          "the maps of " + job.id(),
          Sorts.LIMIT,
          () -> job.job().job().mapProgress() == 1f,
          cluster::tails);
    }
    cluster.pause(MAPS);
    cluster.resume(REDUCES);
    return begun;
  }

  /** Lets the bytes move. */
  void release() throws IOException, InterruptedException {
    cluster.resume(MAPS);
  }

  @Override
  public void close() throws IOException {
    cluster.close();
    cluster.deleteWorkDirectory();
  }
}
