/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries map completion events to the plan, on the reduce thread. Thread-safe. */
final class CompletionSteps implements CompletionPoller.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(CompletionSteps.class);

  private final FetchPlan plan;
  private final Inbox inbox;
  private final LongSupplier clock;
  private final @Nullable OwnRack ownRack;
  // Owned by the reduce thread.
  private final Map<String, MapServer> servers = new HashMap<>();

  /**
   * @param ownRack tells which map hosts come first; null when all are alike
   */
  CompletionSteps(FetchPlan plan, Inbox inbox, LongSupplier clock, @Nullable OwnRack ownRack) {
    this.plan = plan;
    this.inbox = inbox;
    this.clock = clock;
    this.ownRack = ownRack;
  }

  @Override
  public void events(TaskCompletionEvent[] events) {
    List<MapServer> near = near(events);
    inbox.post(
        () -> {
          near.forEach(plan::prefer);
          for (TaskCompletionEvent event : events) {
            resolve(event);
          }
        });
  }

  private List<MapServer> near(TaskCompletionEvent[] events) {
    if (ownRack == null) {
      return List.of();
    }
    return ownRack.newIn(
        Arrays.stream(events)
            .filter(event -> event.getTaskStatus() == TaskCompletionEvent.Status.SUCCEEDED)
            .map(event -> MapServer.parse(event.getTaskTrackerHttp()))
            .toList());
  }

  private void resolve(TaskCompletionEvent event) {
    MapAttempt attempt =
        new MapAttempt(
            AttemptNames.of(event.getTaskAttemptId()),
            event.getTaskAttemptId().getTaskID().getId());
    switch (event.getTaskStatus()) {
      case SUCCEEDED -> {
        plan.mapRanFor(event.getTaskRunTime());
        plan.known(server(event.getTaskTrackerHttp()), attempt, clock.getAsLong());
      }
      case FAILED, KILLED, OBSOLETE -> {
        LOG.debug("Ignoring obsolete output of {} map {}", event.getTaskStatus(), attempt);
        plan.obsolete(attempt);
      }
      case TIPFAILED -> {
        LOG.debug("Ignoring output of failed map {}", attempt);
        plan.tipFailed(attempt.map());
      }
    }
  }

  private MapServer server(String url) {
    return servers.computeIfAbsent(url, MapServer::parse);
  }

  @Override
  public void reset() {
    inbox.post(plan::reset);
  }

  @Override
  public void fatal(Throwable why) {
    inbox.reportException(why);
  }
}
