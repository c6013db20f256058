/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.conf.JobGraphConfig;
import org.missioncontrol.scheduler.graph.StageClass;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the one job of an ApplicationMaster from its AppContext, which answers badly until the job
 * is initialised: whatever it throws means that there is nothing to see yet. Owned by the
 * controller's thread.
 */
final class JobReader {
  private static final Logger LOG = LoggerFactory.getLogger(JobReader.class);

  private final AppContext context;
  private final JobGraphConfig graph;
  private final Complaints complaints;
  private final CompletedMaps maps = new CompletedMaps();
  private @Nullable Long submitTimeMs;
  private @Nullable StageClass transferClass;

  JobReader(AppContext context, JobGraphConfig graph, Complaints complaints) {
    this.context = context;
    this.graph = graph;
    this.complaints = complaints;
  }

  /** The job as it is now, or null if it cannot be seen. */
  @Nullable JobLook look() {
    try {
      Map<?, Job> jobs = context.getAllJobs();
      if (jobs == null || jobs.isEmpty()) {
        return null;
      }
      return look(jobs.values().iterator().next());
    } catch (RuntimeException | LinkageError e) {
      complaints.once("job " + e.getClass().getName(), "The job cannot be read yet: " + e);
      return null;
    }
  }

  private @Nullable JobLook look(Job job) {
    JobState state = job.getState();
    if (state == null || state == JobState.NEW) {
      return null;
    }
    boolean ended =
        switch (state) {
          case SUCCEEDED, FAILED, KILLED, ERROR -> true;
          default -> false;
        };
    Map<Node, Map<String, Integer>> reducers = ended || job.isUber() ? Map.of() : reducers(job);
    boolean idle = reducers.isEmpty();
    long bytes = idle ? 0 : bytesKnown(job);
    return new JobLook(
        job.getID().toString(),
        ended,
        Objects.requireNonNullElse(job.getUserName(), ""),
        Objects.requireNonNullElse(job.getQueueName(), ""),
        idle ? 0 : submitTime(job),
        reducers,
        idle ? Map.of() : maps.stored(),
        bytes,
        job.getTotalReduces(),
        transferClass(job));
  }

  /** Settled once: the numbers of tasks do not change after the job is initialised. */
  private StageClass transferClass(Job job) {
    StageClass known = transferClass;
    if (known == null) {
      JobShape shape = new JobShape(job.getTotalMaps(), job.getTotalReduces(), graph);
      known = shape.mapOutputs();
      transferClass = known;
      LOG.info("The task graph of {} has {}", job.getID(), shape.describe());
    }
    return known;
  }

  private static Map<Node, Map<String, Integer>> reducers(Job job) {
    Map<Node, Map<String, Integer>> reducers = new HashMap<>();
    if (job.getTotalReduces() == 0) {
      return reducers;
    }
    for (Task task : job.getTasks(TaskType.REDUCE).values()) {
      if (task.isFinished()) {
        continue;
      }
      task.getAttempts()
          .forEach(
              (id, attempt) -> {
                Node node = node(attempt);
                if (node != null) {
                  reducers
                      .computeIfAbsent(node, added -> new HashMap<>())
                      .put(TypeConverter.fromYarn(id).toString(), id.getTaskId().getId());
                }
              });
    }
    return reducers;
  }

  /** Where a reduce attempt runs; null while or after it does not. */
  private static @Nullable Node node(TaskAttempt attempt) {
    TaskAttemptState state = attempt.getState();
    boolean lives =
        state == TaskAttemptState.STARTING
            || state == TaskAttemptState.RUNNING
            || state == TaskAttemptState.COMMIT_PENDING;
    int port = lives ? attempt.getShufflePort() : 0;
    if (port <= 0 || port > 65_535) {
      return null;
    }
    String host = host(attempt);
    return host == null ? null : new Node(host, port);
  }

  /** The name that reducers fetch by, so that it is the one in the certificates too. */
  private static @Nullable String host(TaskAttempt attempt) {
    String address = attempt.getNodeHttpAddress();
    int colon = address == null ? -1 : address.lastIndexOf(':');
    if (address != null && colon > 0) {
      return address.substring(0, colon);
    }
    NodeId node = attempt.getNodeId();
    return node == null ? null : node.getHost();
  }

  private long submitTime(Job job) {
    Long known = submitTimeMs;
    if (known == null) {
      known = Math.max(0, job.getReport().getSubmitTime());
      submitTimeMs = known;
    }
    return known;
  }

  private long bytesKnown(Job job) {
    try {
      return maps.update(job);
    } catch (RuntimeException e) {
      complaints.once("bytes " + e.getClass().getName(), "Map outputs cannot be counted: " + e);
      return 0;
    }
  }
}
