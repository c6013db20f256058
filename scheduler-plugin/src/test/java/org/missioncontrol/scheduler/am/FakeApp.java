/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.JobReport;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.util.Records;

/** An application with one job whose tasks a test moves by hand. Thread-safe. */
final class FakeApp {
  static final String JOB = "job_1700000000000_0007";

  private final ApplicationId application = ApplicationId.newInstance(1_700_000_000_000L, 7);
  private final JobId jobId = MRBuilderUtils.newJobId(application, 7);
  private final Map<TaskId, Task> reduces = new LinkedHashMap<>();
  private final Map<TaskId, Task> maps = new LinkedHashMap<>();
  private final List<TaskCompletionEvent> mapEvents = new CopyOnWriteArrayList<>();
  private volatile JobState state = JobState.RUNNING;
  private volatile boolean uber;

  /** What an AppContext answers that knows nothing yet. */
  static AppContext hostile(RuntimeException thrown) {
    return proxy(
        AppContext.class,
        (method, args) -> {
          throw thrown;
        });
  }

  AppContext context() {
    return proxy(
        AppContext.class,
        (method, args) ->
            switch (method) {
              case "getAllJobs" -> Map.of(jobId, job());
              case "getApplicationAttemptId" -> ApplicationAttemptId.newInstance(application, 1);
              default -> throw new UnsupportedOperationException(method);
            });
  }

  FakeApp state(JobState now) {
    state = now;
    return this;
  }

  FakeApp uber() {
    uber = true;
    return this;
  }

  /** A reduce attempt of its own task. */
  synchronized FakeApp reduce(String httpAddress, int shufflePort, TaskAttemptState attemptState) {
    TaskId id = MRBuilderUtils.newTaskId(jobId, reduces.size(), TaskType.REDUCE);
    reduces.put(id, task(id, httpAddress, shufflePort, attemptState, 0));
    return this;
  }

  synchronized FakeApp noReduces() {
    reduces.clear();
    return this;
  }

  /** One more attempt of map {@code number} ends. */
  synchronized FakeApp mapEvent(int number, int attempt, String status, long bytes) {
    TaskId id = MRBuilderUtils.newTaskId(jobId, number, TaskType.MAP);
    maps.put(id, task(id, "m:1", 1, TaskAttemptState.SUCCEEDED, bytes));
    TaskAttemptId attemptId = MRBuilderUtils.newTaskAttemptId(id, attempt);
    mapEvents.add(
        new TaskCompletionEvent(
            mapEvents.size(),
            (org.apache.hadoop.mapred.TaskAttemptID) TypeConverter.fromYarn(attemptId),
            number,
            true,
            TaskCompletionEvent.Status.valueOf(status),
            "http://m:1"));
    return this;
  }

  private Job job() {
    return proxy(
        Job.class,
        (method, args) ->
            switch (method) {
              case "getID" -> jobId;
              case "getState" -> state;
              case "isUber" -> uber;
              case "getUserName" -> "ann";
              case "getQueueName" -> "root.a";
              case "getTotalReduces" -> reduces.size();
              case "getTotalMaps" -> maps.size();
              case "getTasks" -> tasks((TaskType) args[0]);
              case "getTask" -> maps.get((TaskId) args[0]);
              case "getReport" -> report();
              case "getMapAttemptCompletionEvents" -> events((int) args[0], (int) args[1]);
              default -> throw new UnsupportedOperationException(method);
            });
  }

  private synchronized Map<TaskId, Task> tasks(TaskType type) {
    return new LinkedHashMap<>(type == TaskType.REDUCE ? reduces : maps);
  }

  private TaskCompletionEvent[] events(int from, int most) {
    List<TaskCompletionEvent> all = new ArrayList<>(mapEvents);
    int to = Math.min(all.size(), from + most);
    return all.subList(Math.min(from, to), to).toArray(new TaskCompletionEvent[0]);
  }

  private static JobReport report() {
    JobReport report = Records.newRecord(JobReport.class);
    report.setSubmitTime(17);
    return report;
  }

  private static Task task(
      TaskId id, String httpAddress, int port, TaskAttemptState attemptState, long bytes) {
    Counters counters = new Counters();
    counters.findCounter(TaskCounter.MAP_OUTPUT_MATERIALIZED_BYTES).setValue(bytes);
    TaskAttempt attempt =
        proxy(
            TaskAttempt.class,
            (method, args) ->
                switch (method) {
                  case "getState" -> attemptState;
                  case "getNodeHttpAddress" -> httpAddress;
                  case "getNodeId" -> null;
                  case "getShufflePort" -> port;
                  case "getCounters" -> counters;
                  default -> throw new UnsupportedOperationException(method);
                });
    return proxy(
        Task.class,
        (method, args) ->
            switch (method) {
              case "getAttempts" -> Map.of(MRBuilderUtils.newTaskAttemptId(id, 0), attempt);
              case "getAttempt" -> attempt;
              case "isFinished" -> attemptState == TaskAttemptState.SUCCEEDED;
              default -> throw new UnsupportedOperationException(method);
            });
  }

  private static <T> T proxy(Class<T> type, Answer answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, args) -> answer.to(method.getName(), args)));
  }

  /** What a proxy says. */
  private interface Answer {
    Object to(String method, Object[] args);
  }
}
