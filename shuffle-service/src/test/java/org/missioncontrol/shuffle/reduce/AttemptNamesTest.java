/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hadoop's own text and identities are what is right. */
class AttemptNamesTest {
  @ParameterizedTest
  @CsvSource({
    "1700000000000, 0, 0, 0",
    "1700000000000, 1, 9, 3",
    "1700000000000, 9999, 999999, 10",
    "1700000000000, 10000, 1000000, 1000",
    "local1234, 2147483647, 2147483647, 2147483647"
  })
  void theyAreHadoops(String tracker, int job, int task, int attempt) {
    for (TaskType type : TaskType.values()) {
      TaskAttemptID id = new TaskAttemptID(tracker, job, type, task, attempt);
      assertThat(AttemptNames.of(id)).isEqualTo(id.toString());
    }
    TaskAttemptID map = new TaskAttemptID(tracker, job, TaskType.MAP, task, attempt);
    TaskAttemptID named = AttemptNames.mapAttempt(new MapAttempt(map.toString(), task));
    assertThat(TaskAttemptID.forName(named.toString())).isEqualTo(map);
    assertThat(named.toString()).isEqualTo(map.toString());
    assertThat(named.getTaskID()).isEqualTo(map.getTaskID());
    assertThat(named.getId()).isEqualTo(attempt);
  }
}
