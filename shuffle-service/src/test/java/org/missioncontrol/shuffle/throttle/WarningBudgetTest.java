/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WarningBudgetTest {
  private long now;
  private final WarningBudget budget = new WarningBudget(2, 100, () -> now);

  @Test
  void ofAFloodTheFirstFewAreLoggedAndTheRestCounted() {
    assertThat(budget.spend()).isZero();
    assertThat(budget.spend()).isZero();
    for (int i = 0; i < 50; i++) {
      assertThat(budget.spend()).isEqualTo(WarningBudget.SPENT);
    }
    now = 100;
    assertThat(budget.spend()).isEqualTo(50);
    assertThat(budget.spend()).isZero();
    assertThat(budget.spend()).isEqualTo(WarningBudget.SPENT);
  }
}
