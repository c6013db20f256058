/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PathTableTest {
  private final PathTable table = new PathTable(2);

  @Test
  void nothingIsKnownBeforeAConnectionHasTold() {
    assertThat(table.of("a")).isNull();
    assertThat(table.all()).isEmpty();
  }

  @Test
  void whatOneConnectionTellsAgainIsCountedOnce() {
    SocketFacts first = new SocketFacts(true, 3, 1, 500, 10);
    SocketFacts later = new SocketFacts(true, 5, 2, 700, 20);
    table.learn("a", null, first);
    table.learn("a", first, later);
    table.learn("a", null, new SocketFacts(false, 0, 4, 0, 0));
    assertThat(table.of("a")).isEqualTo(new PathFacts("a", 2, true, 5, 6, 700, 0));
  }

  @Test
  void aPathMarksWhereEcnIsNegotiatedAndAMarkHasCome() {
    assertThat(new PathFacts("a", 1, true, 1, 0, 0, 0).marking()).isTrue();
    assertThat(new PathFacts("a", 1, true, 0, 0, 0, 0).marking()).isFalse();
    assertThat(new PathFacts("a", 1, false, 1, 0, 0, 0).marking()).isFalse();
  }

  @Test
  void aConnectionThatIsRefusedEcnEndsWhatWasSeenUntilAnotherShowsIt() {
    table.learn("a", null, new SocketFacts(true, 3, 1, 500, 10));
    table.ecnRefused("a");
    table.ecnRefused("unknown");
    assertThat(table.of("a")).isEqualTo(new PathFacts("a", 1, false, 0, 1, 500, 0));
    table.learn("a", null, new SocketFacts(true, 1, 0, 500, 10));
    assertThat(table.of("a").marking()).isTrue();
  }

  @Test
  void aMultipathConnectionThatFoundOnePathLeavesOneInterface() {
    table.learn("a", null, new SocketFacts(false, 0, 0, 1, 1));
    assertThat(table.of("a").usable(2)).as("before one was seen").isEqualTo(2);
    table.multipath("a", 0);
    assertThat(table.of("a").usable(2)).as("the other end has none").isEqualTo(1);
    table.multipath("a", 3);
    assertThat(table.of("a").usable(2)).isEqualTo(2);
    assertThat(table.of("a").paths()).isEqualTo(3);
    table.multipath("unknown", 1);
    assertThat(table.of("unknown")).isNull();
  }

  @Test
  void theHostThatWasLookedAtLongestAgoIsForgotten() {
    SocketFacts facts = new SocketFacts(false, 0, 0, 1, 1);
    table.learn("a", null, facts);
    table.learn("b", null, facts);
    table.of("a");
    table.learn("c", null, facts);
    assertThat(table.all()).extracting(PathFacts::host).containsExactly("a", "c");
  }
}
