/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TableTest {
  @Test
  void columnsAreAsWideAsTheyNeedAndNumbersStandRight() {
    assertThat(
            new Table("NAME", ">N", "LAST").row("a", 5, "x").row("longer", 12_345, "").toString())
        .isEqualTo(
            """
            NAME        N  LAST
            a           5  x
            longer  12345
            """);
  }

  @Test
  void whatComesFromTheNetworkCannotMoveTheCursor() {
    assertThat(Words.plain("a\033[2Jb\n")).isEqualTo("a?[2Jb?");
    assertThat(Words.plain(null)).isEqualTo("-");
    assertThat(Words.bytes(1_234_567)).isEqualTo("1.2 MB");
    assertThat(Words.number(2.5)).isEqualTo("2.5");
    assertThat(Words.number(100)).isEqualTo("100");
  }
}
