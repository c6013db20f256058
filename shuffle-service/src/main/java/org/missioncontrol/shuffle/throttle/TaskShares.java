/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import java.util.List;
import java.util.Map;
import org.missioncontrol.scheduler.share.WeightedMaxMin;
import org.missioncontrol.scheduler.share.WeightedMaxMin.Claim;

/**
 * How a job's flows on a host are split among its tasks there: weighted max-min, each task's weight
 * being the bytes that it still wants, so that all end at about the same time (weighted shuffle
 * scheduling after Chowdhury et al., <i>Managing Data Transfers in Computer Clusters with
 * Orchestra</i>, SIGCOMM 2011, section 5.2). A task of which nothing is known weighs as much as the
 * others do on average; without any knowledge all are equal. Owned by its job.
 */
final class TaskShares {
  private Map<String, Long> wanted = Map.of();

  /**
   * One task. Immutable.
   *
   * @param received bytes that it has got
   * @param demand flows that it holds or waits for
   */
  record Task(String attempt, long received, int demand) {}

  /** Bytes that tasks want in all, received or not, by attempt; replaces what was told before. */
  void told(Map<String, Long> bytes) {
    wanted = Map.copyOf(bytes);
  }

  /** The flows of each task, in the order given, which is that of precedence. */
  int[] split(int flows, List<Task> tasks) {
    double known =
        tasks.stream()
            .filter(task -> wanted.containsKey(task.attempt()))
            .mapToDouble(this::left)
            .average()
            .orElse(1);
    return WeightedMaxMin.shares(
        flows,
        tasks.stream()
            .map(
                task ->
                    new Claim(
                        (float) (wanted.containsKey(task.attempt()) ? left(task) : known),
                        task.demand()))
            .toList());
  }

  /** At least 1, for what is told may lag behind what has come. */
  private double left(Task task) {
    return Math.max(1, wanted.getOrDefault(task.attempt(), 0L) - task.received());
  }
}
