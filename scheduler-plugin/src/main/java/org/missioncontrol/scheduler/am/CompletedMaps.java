/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of the map outputs that can be fetched now, kept up from the job's completion events, of
 * which each is read once. Owned by the controller's thread.
 */
final class CompletedMaps {
  private static final int EVENTS_AT_ONCE = 1000;

  private final Map<TaskId, Output> outputs = new HashMap<>();
  private int nextEvent;
  private long bytes;

  /** Reads the events that are new and returns the bytes. */
  long update(Job job) {
    TaskCompletionEvent[] events;
    do {
      events = job.getMapAttemptCompletionEvents(nextEvent, EVENTS_AT_ONCE);
      for (TaskCompletionEvent event : events) {
        nextEvent++;
        apply(job, event);
      }
    } while (events.length == EVENTS_AT_ONCE);
    return bytes;
  }

  private void apply(Job job, TaskCompletionEvent event) {
    TaskAttemptId attempt = TypeConverter.toYarn(event.getTaskAttemptId());
    TaskId task = attempt.getTaskId();
    if (event.getTaskStatus() == TaskCompletionEvent.Status.SUCCEEDED) {
      Output output =
          new Output(attempt, materializedBytes(job, attempt), node(event.getTaskTrackerHttp()));
      Output before = outputs.put(task, output);
      bytes += output.bytes() - (before == null ? 0 : before.bytes());
      return;
    }
    Output known = outputs.get(task);
    if (known != null && known.attempt().equals(attempt)) {
      outputs.remove(task);
      bytes -= known.bytes();
    }
  }

  private static long materializedBytes(Job job, TaskAttemptId id) {
    Task task = job.getTask(id.getTaskId());
    TaskAttempt attempt = task == null ? null : task.getAttempt(id);
    Counters counters = attempt == null ? null : attempt.getCounters();
    return counters == null
        ? 0
        : Math.max(0, counters.findCounter(TaskCounter.MAP_OUTPUT_MATERIALIZED_BYTES).getValue());
  }

  /** How many of them each NodeManager has. */
  Map<Node, Integer> stored() {
    Map<Node, Integer> stored = new HashMap<>();
    outputs.values().stream()
        .flatMap(output -> Optional.ofNullable(output.node()).stream())
        .forEach(node -> stored.merge(node, 1, Integer::sum));
    return stored;
  }

  /** The NodeManager of an address as reducers fetch by, or null where it is none. */
  private static @Nullable Node node(@Nullable String http) {
    try {
      URI address = URI.create(http == null ? "" : http);
      String host = address.getHost();
      return host == null || address.getPort() <= 0 ? null : new Node(host, address.getPort());
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private record Output(TaskAttemptId attempt, long bytes, @Nullable Node node) {}
}
