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
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.missioncontrol.bench.cluster.NodeSpec;
import org.missioncontrol.bench.jobs.SortJob;

/**
 * The thesis' table of policies for two jobs, on a NodeManager with ten flows. The map outputs stay
 * where they are, so that flows are held as long as the test looks; to move flows from one job to
 * the other, the test ends tasks of the one that has too many, whose flows then go to whom they are
 * due.
 */
class PolicyTableIT {
  private static final int BUDGET = 10;
  private static final int REDUCES = 4;
  private static final int MAPS = 4;

  @TempDir Path directory;
  private HeldShuffle shuffle;
  private Path rules;
  private Sorts.Running first;
  private Sorts.Running second;
  private final Set<String> ended = new HashSet<>();

  @AfterEach
  void end() throws Exception {
    if (shuffle != null) {
      shuffle.close();
    }
  }

  @Test
  void eachPolicyGivesTwoJobsTheFlowsOfTheTableAndTheOneThatStaysAll() throws Exception {
    rules = directory.resolve("rules.properties");
    enforce("fifo");
    shuffle =
        HeldShuffle.on(
            Sorts.workDirectory(PolicyTableIT.class),
            NodeSpec.ours()
                .with("mission-control.flows.per-host", "" + BUDGET)
                .with("mission-control.rules-file", rules.toString()));
    SortJob sort =
        SortJob.of(MAPS, REDUCES, 100_000)
            .onMissionControl()
            .with("mapreduce.mission-control.fetch.flows-per-map-host", MAPS)
            .with("mapreduce.mission-control.fetch.maps-per-batch", 1)
            .with("mapreduce.reduce.shuffle.read.timeout", 1_200_000);
    List<Sorts.Running> jobs =
        shuffle.begin(
            List.of(
                sort.with("mapreduce.job.priority", "LOW"),
                sort.with("mapreduce.job.priority", "HIGH")
                    .with(
                        "mapreduce.job.partitioner.class",
                        "org.missioncontrol.broadcast.BroadcastPartitioner")));
    first = jobs.get(0);
    second = jobs.get(1);

    awaitFlows("fifo", 7, 3);
    enforce("priority");
    awaitFlows("priority", 3, 7);
    enforce("fair");
    awaitFlows("fair", 5, 5);
    enforce("performance-centric-by-class");
    awaitFlows("performance-centric-by-class", 3, 7);

    second.job().job().killJob();
    HostStatus.watch(
        shuffle.cluster(),
        HeldShuffle.REDUCES,
        "all flows to go to the job that stays",
        Sorts.LIMIT,
        status -> status != null && status.flows(first.id()) == BUDGET);

    shuffle.release();
    first.job().awaitSuccess(Sorts.LIMIT);
    Sorts.assertAllLeased(first);
    HostStatus.awaitWholeBudget(shuffle.cluster());
  }

  /** Moved into place, so that no half of it is read. */
  private void enforce(String policy) throws IOException {
    Path beside = Files.writeString(rules.resolveSibling("rules.new"), "policy = " + policy);
    Files.move(beside, rules, StandardCopyOption.ATOMIC_MOVE);
  }

  private void awaitFlows(String policy, int ofFirst, int ofSecond) throws Exception {
    List<HostStatus> seen =
        HostStatus.watch(
            shuffle.cluster(),
            HeldShuffle.REDUCES,
            policy + " to give " + ofFirst + " and " + ofSecond + " flows",
            Sorts.LIMIT,
            status -> {
              if (status == null
                  || !policy.equals(status.json().at("/sharing/policy").asText())
                  || demand(status, first) < BUDGET
                  || demand(status, second) < BUDGET) {
                return false;
              }
              endATask(status, first, ofFirst);
              endATask(status, second, ofSecond);
              return status.flows(first.id()) == ofFirst && status.flows(second.id()) == ofSecond;
            });
    HostStatus last = seen.get(seen.size() - 1);
    assertThat(last.job(first.id()).path("share").asInt()).isEqualTo(ofFirst);
    assertThat(last.job(second.id()).path("share").asInt()).isEqualTo(ofSecond);
    assertThat(seen).allSatisfy(status -> assertThat(status.inUse()).isBetween(0, BUDGET));
  }

  private static int demand(HostStatus status, Sorts.Running job) {
    return status.job(job.id()).path("demand").asInt();
  }

  /** Ends a task of a job that holds more than it is due, unless one that was ended still does. */
  private void endATask(HostStatus status, Sorts.Running job, int due)
      throws IOException, InterruptedException {
    if (status.flows(job.id()) <= due) {
      return;
    }
    List<String> holding =
        status.job(job.id()).path("flows").findValuesAsText("task").stream().distinct().toList();
    if (holding.stream().noneMatch(ended::contains)) {
      ended.add(holding.get(0));
      job.job().job().killTask(TaskAttemptID.forName(holding.get(0)));
    }
  }
}
