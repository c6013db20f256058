/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SequenceNumbersTest {
  private static final long NOW = 1_796_084_000_000L;

  @Test
  void numbersGrow() {
    SequenceNumbers numbers = new SequenceNumbers(1, NOW);
    assertThat(numbers.next()).isPositive().isLessThan(numbers.next());
  }

  @Test
  void aLaterAttemptIsAheadEvenWhenItsClockIsBehind() {
    SequenceNumbers first = new SequenceNumbers(1, NOW);
    SequenceNumbers second = new SequenceNumbers(2, NOW - 3_600_000);
    assertThat(second.next()).isGreaterThan(first.next() + 1_000_000_000);
  }

  @Test
  void numbersOutOfRangeStayPositive() {
    assertThat(new SequenceNumbers(Integer.MAX_VALUE, Long.MAX_VALUE).next()).isPositive();
    assertThat(new SequenceNumbers(-1, -1).next()).isZero();
  }
}
