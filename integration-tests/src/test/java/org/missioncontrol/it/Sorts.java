/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.missioncontrol.bench.cluster.ClusterJob;
import org.missioncontrol.bench.cluster.LocalCluster;
import org.missioncontrol.bench.jobs.Outputs;
import org.missioncontrol.bench.jobs.SortJob;

/** Runs sorts on a cluster and looks at what they leave. Owned by the test thread. */
final class Sorts {
  /** Ample on two shared cores; a test that waits so long has failed. */
  static final Duration LIMIT = Duration.ofMinutes(5);

  /** Set to false for a test that looks at connections, which files of the own host need not. */
  static final String LOCAL_FILES = "mapreduce.mission-control.local-files.enabled";

  private static final String OURS = "Mission Control";
  private static final AtomicInteger OUTPUTS = new AtomicInteger();

  private final LocalCluster cluster;

  Sorts(LocalCluster cluster) {
    this.cluster = cluster;
  }

  /** A running sort and where its output will be. */
  record Running(ClusterJob job, String output) {
    String id() {
      return job.id();
    }
  }

  /** An empty place for a cluster, with a path short enough for the door's socket. */
  static Path workDirectory(Class<?> test) throws IOException {
    return Files.createTempDirectory("mc-" + test.getSimpleName() + "-");
  }

  /** Ends a cluster and removes what it left; for AfterAll. */
  static void end(LocalCluster cluster) throws IOException, InterruptedException {
    cluster.close();
    cluster.deleteWorkDirectory();
  }

  Running submit(SortJob sort) throws IOException, InterruptedException {
    String output = cluster.workDirectory() + "/output-" + OUTPUTS.incrementAndGet();
    return new Running(cluster.submit(sort.create(cluster.configuration(), output)), output);
  }

  Running run(SortJob sort) throws IOException, InterruptedException {
    Running running = submit(sort);
    running.job().awaitSuccess(LIMIT);
    return running;
  }

  SortedMap<String, String> digests(Running sort) throws IOException {
    return Outputs.digests(cluster.configuration(), sort.output());
  }

  static long ours(Running sort, String counter) throws IOException {
    return sort.job().counter(OURS, counter);
  }

  static void assertAllLeased(Running sort) throws IOException {
    long all = sort.job().counter(TaskCounter.REDUCE_SHUFFLE_BYTES);
    assertThat(all).as("shuffled bytes of %s", sort.id()).isPositive();
    assertThat(ours(sort, "PLAIN_BYTES")).as("bytes over plain sockets").isZero();
    assertThat(ours(sort, "LEASED_BYTES") + ours(sort, "LOCAL_BYTES"))
        .as("bytes over leased flows or from the host's own files")
        .isEqualTo(all);
  }

  static void assertAllPlain(Running sort) throws IOException {
    long all = sort.job().counter(TaskCounter.REDUCE_SHUFFLE_BYTES);
    assertThat(all).as("shuffled bytes of %s", sort.id()).isPositive();
    assertThat(ours(sort, "LEASED_BYTES")).as("bytes over leased flows").isZero();
    assertThat(ours(sort, "LOCAL_BYTES")).as("bytes from the host's own files").isZero();
    assertThat(ours(sort, "PLAIN_BYTES")).as("bytes over plain sockets").isEqualTo(all);
  }
}
