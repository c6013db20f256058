/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.kit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TableTest {
  @Test
  void numbersAreRoundedToFourDigits() {
    assertThat(Table.round(0)).isEqualTo("0");
    assertThat(Table.round(1234.4)).isEqualTo("1234");
    assertThat(Table.round(200)).isEqualTo("200");
    assertThat(Table.round(0.99951)).isEqualTo("0.9995");
    assertThat(Table.round(1.5)).isEqualTo("1.5");
    assertThat(Table.round(0.00001234)).isEqualTo("1.23e-05");
  }

  @Test
  void columnsLineUp() {
    assertThat(new Table("job", "share").row("one", 0.5).row("another", 12.25).toString())
        .isEqualTo("job      share\none        0.5\nanother  12.25\n");
  }

  @Test
  void aMissedGoalSaysSoAndTheJsonHasEveryValueInOrder() {
    Result result = new Result("x").atMost("a", 2, 1).atLeast("b", 2, 1).with("c", 1.0 / 0);
    assertThat(result.goals()).containsPattern("a .*MISSED").containsPattern("b .*met");
    assertThat(result.json()).isEqualTo("{\"name\":\"x\",\"a\":2.0,\"b\":2.0,\"c\":\"none\"}");
  }
}
