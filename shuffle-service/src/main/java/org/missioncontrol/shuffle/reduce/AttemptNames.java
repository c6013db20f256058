/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;

/**
 * Attempts' names as {@link TaskAttemptID} writes and reads them, without its number formats and
 * patterns: with small map outputs those cost a reducer more than the fetching does.
 */
final class AttemptNames {
  private static final int JOB_DIGITS = 4;
  private static final int TASK_DIGITS = 6;
  private static final int DECIMAL = 10;

  private AttemptNames() {}

  /** {@code id.toString()}. */
  static String of(TaskAttemptID id) {
    StringBuilder name = new StringBuilder(48).append("attempt_");
    name.append(id.getJobID().getJtIdentifier()).append('_');
    digits(name, id.getJobID().getId(), JOB_DIGITS).append('_');
    name.append(TaskID.getRepresentingCharacter(id.getTaskType())).append('_');
    return digits(name, id.getTaskID().getId(), TASK_DIGITS)
        .append('_')
        .append(id.getId())
        .toString();
  }

  private static StringBuilder digits(StringBuilder out, int number, int least) {
    int digits = 1;
    for (int rest = number / DECIMAL; rest > 0; rest /= DECIMAL) {
      digits++;
    }
    for (; digits < least; digits++) {
      out.append('0');
    }
    return out.append(number);
  }

  /**
   * The identity that Hadoop's merge wants, which makes text of it several times for each output.
   *
   * @param attempt named by {@link #of}
   */
  static TaskAttemptID mapAttempt(MapAttempt attempt) {
    String name = attempt.id();
    int number = name.lastIndexOf('_') + 1;
    int tracker = name.indexOf('_') + 1;
    int job = name.indexOf('_', tracker) + 1;
    return new Named(
        name,
        name.substring(tracker, job - 1),
        Integer.parseInt(name, job, name.indexOf('_', job), DECIMAL),
        attempt.map(),
        Integer.parseInt(name, number, name.length(), DECIMAL));
  }

  /** Knows its name. Immutable, for nobody sets what {@link TaskAttemptID} lets be set. */
  private static final class Named extends TaskAttemptID {
    private final String name;

    Named(String name, String jobTracker, int job, int task, int attempt) {
      super(jobTracker, job, TaskType.MAP, task, attempt);
      this.name = name;
    }

    @Override
    public String toString() {
      return name;
    }
  }
}
