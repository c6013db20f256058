/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.policy;

import java.util.List;
import java.util.Locale;

/**
 * Jobs weigh in proportion to their priority: {@code weight = min(wanted * priority / 3, cap)}.
 * From the Mission Control thesis, table of weight assignment policies: "A job with a priority of 2
 * is assigned a weight which is double the weight assigned to a priority 1 job"; it then gets 7 of
 * 10 flows, the other 3.
 *
 * <p>The priority is {@code mapreduce.job.priority}, a number or a name with the number that
 * MapReduce gives it: VERY_HIGH 5, HIGH 4, NORMAL 3, LOW 2, VERY_LOW 1. So HIGH is twice LOW, and
 * NORMAL (and whatever is neither name nor number) changes nothing. Numbers below 1 count 0.5.
 * Immutable.
 */
final class PriorityPolicy implements SharePolicy {
  private static final double NORMAL = 3;
  private static final double LEAST = 0.5;

  @Override
  public String name() {
    return "priority";
  }

  @Override
  public float asked(TransferFacts transfer) {
    return Weights.inRange(transfer.wantedWeight() * number(transfer.priority()) / NORMAL);
  }

  @Override
  public float[] weights(List<TransferFacts> transfers) {
    return Weights.ofEach(transfers, transfer -> transfer.capped(asked(transfer)));
  }

  private static double number(String priority) {
    return switch (priority.toUpperCase(Locale.ROOT)) {
      case "VERY_HIGH" -> 5;
      case "HIGH" -> 4;
      case "LOW" -> 2;
      case "VERY_LOW" -> 1;
      default -> parsed(priority);
    };
  }

  private static double parsed(String priority) {
    try {
      return Math.max(Integer.parseInt(priority), LEAST);
    } catch (NumberFormatException e) {
      return NORMAL;
    }
  }
}
