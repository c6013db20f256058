/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;

/** One submitted job. Owned by one thread. */
public final class ClusterJob {
  private final LocalCluster cluster;
  private final Containers containers;
  private final Job job;

  ClusterJob(LocalCluster cluster, Containers containers, Job job) {
    this.cluster = cluster;
    this.containers = containers;
    this.job = job;
  }

  /** Such as job_1700000000000_0001. */
  public String id() {
    return job.getJobID().toString();
  }

  /** Hadoop's handle: progress, tasks, kill. */
  public Job job() {
    return job;
  }

  /** Waits for the end; fails with logs when the job fails or the time is up. */
  public ClusterJob awaitSuccess(Duration limit) throws IOException, InterruptedException {
    if (!await(limit)) {
      throw new IOException(
          id() + " failed: " + job.getStatus().getFailureInfo() + "\n" + diagnostics());
    }
    return this;
  }

  /** Waits for the end and says whether the job succeeded; fails only when the time is up. */
  public boolean await(Duration limit) throws IOException, InterruptedException {
    Await.until("the end of " + id(), limit, job::isComplete, this::diagnostics);
    return job.isSuccessful();
  }

  private String diagnostics() {
    return cluster.tails() + "\n" + ContainerLogs.tails(cluster, id());
  }

  /** All counters; the job history server answers when the job has ended. */
  public Counters counters() throws IOException {
    Counters counters = job.getCounters();
    if (counters == null) {
      throw new IOException("nobody knows the counters of " + id());
    }
    return counters;
  }

  /** One counter by its group's and its own name; 0 when the job never touched it. */
  public long counter(String group, String name) throws IOException {
    Counter counter = counters().findCounter(group, name);
    return counter == null ? 0 : counter.getValue();
  }

  /** One counter of an enum, such as TaskCounter.REDUCE_SHUFFLE_BYTES. */
  public long counter(Enum<?> key) throws IOException {
    return counters().findCounter(key).getValue();
  }

  /** The JVMs of this job that run now. */
  public List<ProcessHandle> containers(ContainerKind kind) {
    return containers.of(id(), kind);
  }

  /** Waits until a JVM of the kind runs, and gives the first found. */
  public ProcessHandle awaitContainer(ContainerKind kind, Duration limit)
      throws IOException, InterruptedException {
    Await.until(
        "a container " + kind + " of " + id(),
        limit,
        () -> !containers(kind).isEmpty(),
        this::diagnostics);
    return containers(kind).get(0);
  }
}
