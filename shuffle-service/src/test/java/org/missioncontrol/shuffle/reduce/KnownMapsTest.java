/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapred.TaskCompletionEvent.Status;
import org.junit.jupiter.api.Test;

class KnownMapsTest {
  private final KnownMaps known = new KnownMaps(2);

  private void heard(int map, int attempt, Status status) {
    TaskAttemptID id = TaskAttemptID.forName("attempt_1_0001_m_%06d_%d".formatted(map, attempt));
    known.heard(new TaskCompletionEvent(0, id, map, true, status, "http://h:1"));
  }

  @Test
  void allAreKnownWhenEachHasSucceeded() {
    heard(0, 0, Status.SUCCEEDED);
    heard(0, 0, Status.SUCCEEDED);
    assertThat(known.all()).isFalse();
    heard(1, 0, Status.SUCCEEDED);
    assertThat(known.all()).isTrue();
  }

  @Test
  void aLostOutputIsMissedAndItsSuccessorIsNot() {
    heard(0, 0, Status.SUCCEEDED);
    heard(1, 0, Status.SUCCEEDED);
    heard(1, 0, Status.FAILED);
    assertThat(known.all()).isFalse();
    heard(1, 1, Status.SUCCEEDED);
    assertThat(known.all()).isTrue();
  }

  @Test
  void theEndOfASpeculativeAttemptChangesNothing() {
    heard(0, 0, Status.SUCCEEDED);
    heard(1, 1, Status.SUCCEEDED);
    heard(1, 0, Status.KILLED);
    assertThat(known.all()).isTrue();
  }

  @Test
  void aMapThatIsNotNeededIsNotWaitedFor() {
    heard(0, 0, Status.TIPFAILED);
    heard(1, 0, Status.SUCCEEDED);
    assertThat(known.all()).isTrue();
  }

  @Test
  void allIsToldAgainAfterAReset() {
    heard(0, 0, Status.SUCCEEDED);
    heard(1, 0, Status.SUCCEEDED);
    known.forget();
    assertThat(known.all()).isFalse();
  }
}
