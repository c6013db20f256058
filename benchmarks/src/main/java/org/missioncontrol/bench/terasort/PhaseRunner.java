/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.terasort;

import java.io.IOException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Cluster;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.bench.cluster.ContainerLogs;
import org.missioncontrol.bench.cluster.LocalCluster;

/** Runs Hadoop's tools one after another and shows how far each is. Owned by the main thread. */
final class PhaseRunner {
  private static final long POLL_MS = 500;
  private static final int PERCENT = 100;
  private static final int STEP = 10;

  private final LocalCluster cluster;
  private final Console console;
  private final Set<JobID> known = new HashSet<>();

  PhaseRunner(LocalCluster cluster, Console console) {
    this.cluster = cluster;
    this.console = console;
  }

  /**
   * Runs a tool that submits one job; fails with the containers' last words if it does not succeed.
   */
  Phase run(String name, Configuration conf, Tool tool, String... arguments)
      throws IOException, InterruptedException {
    Cluster client = new Cluster(conf);
    try {
      console.say(name + " begins");
      long start = System.nanoTime();
      CompletableFuture<Integer> end = start(conf, tool, arguments);
      Job job = watch(name, client, end);
      double seconds = (System.nanoTime() - start) / 1e9;
      if (result(name, end) != 0 || job == null) {
        throw new IOException(name + " failed" + (job == null ? "" : lastWords(job)));
      }
      Counters counters = job.getCounters();
      if (counters == null) {
        throw new IOException("nobody knows the counters of " + job.getJobID());
      }
      String id = job.getJobID().toString();
      console.say(String.format(Locale.ROOT, "%s took %.1f s (%s)", name, seconds, id));
      return new Phase(name, id, seconds, counters);
    } finally {
      client.close();
    }
  }

  private static CompletableFuture<Integer> start(
      Configuration conf, Tool tool, String... arguments) {
    CompletableFuture<Integer> end = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                end.complete(ToolRunner.run(conf, tool, arguments));
              } catch (Exception e) {
                end.completeExceptionally(e);
              }
            },
            "tool");
    thread.setDaemon(true);
    thread.start();
    return end;
  }

  private @Nullable Job watch(String name, Cluster client, CompletableFuture<Integer> end)
      throws IOException, InterruptedException {
    Job job = null;
    int shown = 0;
    while (!ended(end)) {
      job = job == null ? newest(client) : job;
      if (job != null && job.getStatus().getState() == JobStatus.State.RUNNING) {
        int maps = (int) (job.mapProgress() * PERCENT);
        int reduces = (int) (job.reduceProgress() * PERCENT);
        if ((maps + reduces) / STEP > shown) {
          shown = (maps + reduces) / STEP;
          console.say(name + ": map " + maps + " %, reduce " + reduces + " %");
        }
      }
    }
    return job == null ? newest(client) : job;
  }

  private static boolean ended(CompletableFuture<Integer> end) throws InterruptedException {
    try {
      end.get(POLL_MS, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException notYet) {
      return false;
    } catch (ExecutionException failed) {
      return true;
    }
  }

  private static int result(String name, CompletableFuture<Integer> end) throws IOException {
    try {
      return end.join();
    } catch (CompletionException e) {
      throw new IOException(name + " failed", e.getCause());
    }
  }

  private @Nullable Job newest(Cluster client) throws IOException, InterruptedException {
    for (JobStatus status : client.getAllJobStatuses()) {
      if (known.add(status.getJobID())) {
        return client.getJob(status.getJobID());
      }
    }
    return null;
  }

  private String lastWords(Job job) {
    return ": " + job.getJobID() + "\n" + ContainerLogs.tails(cluster, job.getJobID().toString());
  }
}
