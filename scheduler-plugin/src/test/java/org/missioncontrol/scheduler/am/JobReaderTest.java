/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.missioncontrol.conf.JobGraphConfig;
import org.slf4j.LoggerFactory;

class JobReaderTest {
  private static final JobGraphConfig SHUFFLE = new JobGraphConfig(0, 0, false);

  private final Complaints complaints = new Complaints(LoggerFactory.getLogger(getClass()));
  private final FakeApp app = new FakeApp();
  private final JobReader reader = new JobReader(app.context(), SHUFFLE, complaints);

  @Test
  void nodesAreThoseOfLivingReduceAttempts() {
    app.reduce("a:8042", 13562, TaskAttemptState.RUNNING)
        .reduce("a:8042", 13562, TaskAttemptState.COMMIT_PENDING)
        .reduce("[::1]:8042", 13563, TaskAttemptState.STARTING)
        .reduce("new:8042", -1, TaskAttemptState.STARTING)
        .reduce(null, 13562, TaskAttemptState.RUNNING)
        .reduce("done:8042", 13562, TaskAttemptState.SUCCEEDED)
        .reduce("failed:8042", 13562, TaskAttemptState.FAILED)
        .reduce("killed:8042", 13562, TaskAttemptState.KILLED);
    JobLook look = reader.look();
    assertThat(look.reducerNodes())
        .containsExactlyInAnyOrder(new Node("a", 13562), new Node("[::1]", 13563));
    assertThat(look.job()).isEqualTo(FakeApp.JOB);
    assertThat(look.user()).isEqualTo("ann");
    assertThat(look.queue()).isEqualTo("root.a");
    assertThat(look.submitTimeMs()).isEqualTo(17);
    assertThat(complaints.kinds()).isZero();
  }

  @Test
  void bytesAreThoseOfOutputsThatCanBeFetched() {
    app.reduce("a:8042", 13562, TaskAttemptState.RUNNING)
        .mapEvent(0, 0, "SUCCEEDED", 100)
        .mapEvent(1, 0, "FAILED", 7)
        .mapEvent(1, 1, "SUCCEEDED", 20);
    assertThat(reader.look().bytesKnown()).isEqualTo(120);
    app.mapEvent(0, 0, "FAILED", 100);
    assertThat(reader.look().bytesKnown()).isEqualTo(20);
    app.mapEvent(0, 1, "SUCCEEDED", 50).mapEvent(1, 0, "KILLED", 7);
    assertThat(reader.look().bytesKnown()).isEqualTo(70);
  }

  @Test
  void anUberJobAndOneWithoutReducersHaveNoNodes() {
    assertThat(reader.look().reducerNodes()).isEmpty();
    app.reduce("a:8042", 13562, TaskAttemptState.RUNNING).uber();
    assertThat(reader.look().reducerNodes()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = JobState.class,
      names = {"SUCCEEDED", "FAILED", "KILLED", "ERROR"})
  void aFinalStateIsTheEnd(JobState state) {
    app.reduce("a:8042", 13562, TaskAttemptState.RUNNING);
    assertThat(reader.look().ended()).isFalse();
    app.state(state);
    assertThat(reader.look().ended()).isTrue();
    assertThat(reader.look().reducerNodes()).isEmpty();
  }

  @Test
  void aContextThatThrowsIsComplainedAboutOncePerKind() {
    JobReader hostile =
        new JobReader(FakeApp.hostile(new NullPointerException()), SHUFFLE, complaints);
    assertThat(hostile.look()).isNull();
    assertThat(hostile.look()).isNull();
    assertThat(complaints.kinds()).isEqualTo(1);
  }

  @Test
  void aJobWithoutStateIsNotThereYet() {
    app.state(null);
    assertThat(reader.look()).isNull();
    app.state(JobState.NEW);
    assertThat(reader.look()).isNull();
    assertThat(complaints.kinds()).isZero();
  }
}
