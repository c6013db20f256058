/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class JobQueuesTest {
  private final JobQueues<String> queues = new JobQueues<>(2, 3);

  private void add(String... pieces) {
    for (String piece : pieces) {
      queues.add(piece.substring(0, 1), piece);
    }
  }

  private void begins(String... pieces) {
    for (String piece : pieces) {
      assertThat(queues.next()).isEqualTo(piece);
    }
    assertThat(queues.next()).isNull();
  }

  @Test
  void jobThatCameFirstLeavesRoomForOthers() {
    add("a1", "a2", "a3");
    begins("a1", "a2");
    add("b1");
    begins("b1");
  }

  @Test
  void jobsTakeTurnsAndEachKeepsItsOrder() {
    add("a1", "a2", "a3", "b1", "b2");
    begins("a1", "b1", "a2");
    queues.ended("a");
    begins("b2");
    queues.ended("b");
    begins("a3");
  }

  @Test
  void noMoreThanTheMostOfAllIsUnderWay() {
    add("a1", "b1", "c1", "d1");
    begins("a1", "b1", "c1");
    queues.ended("b");
    begins("d1");
  }

  @Test
  void jobWithoutWorkIsForgotten() {
    add("a1");
    begins("a1");
    assertThat(queues.jobs()).isEqualTo(1);
    queues.ended("a");
    assertThat(queues.jobs()).isZero();
    assertThatThrownBy(() -> queues.ended("a")).isInstanceOf(IllegalStateException.class);
  }
}
