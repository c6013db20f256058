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
  private static final long KEEP = 600;

  private final PathTable table = new PathTable(2, KEEP);

  @Test
  void nothingIsKnownBeforeAConnectionHasTold() {
    assertThat(table.of("a", 0)).isNull();
    assertThat(table.latest(9, 0)).isEmpty();
  }

  @Test
  void whatOneConnectionTellsAgainIsCountedOnce() {
    SocketFacts first = new SocketFacts(true, 3, 1, 500, 10);
    SocketFacts later = new SocketFacts(true, 5, 2, 700, 20);
    table.learn("a", null, first, 0);
    table.learn("a", first, later, 0);
    table.learn("a", null, new SocketFacts(false, 0, 4, 0, 0), 0);
    assertThat(table.of("a", 0)).isEqualTo(new PathFacts("a", 2, true, 5, true, 6, 700, 0));
  }

  @Test
  void aPathMarksWhereEcnIsNegotiatedAndAMarkHasCome() {
    table.learn("a", null, new SocketFacts(true, 0, 0, 0, 0), 0);
    assertThat(table.of("a", 0).marking()).isFalse();
    table.learn("a", null, new SocketFacts(true, 1, 0, 0, 0), 0);
    assertThat(table.of("a", 0).marking()).isTrue();
    table.learn("b", null, new SocketFacts(false, 1, 0, 0, 0), 0);
    assertThat(table.of("b", 0).marking()).isFalse();
  }

  @Test
  void marksThatStoppedComingCountNoMoreAfterAWhile() {
    SocketFacts marked = new SocketFacts(true, 3, 0, 0, 0);
    table.learn("a", null, marked, 100);
    table.learn("a", marked, new SocketFacts(true, 3, 0, 0, 9), 500);
    assertThat(table.of("a", 100 + KEEP - 1).marking()).isTrue();
    assertThat(table.of("a", 100 + KEEP).marking()).isFalse();
    assertThat(table.of("a", 100 + KEEP).marks()).isEqualTo(3);
    table.learn("a", marked, new SocketFacts(true, 4, 0, 0, 9), 100 + KEEP);
    assertThat(table.of("a", 100 + KEEP).marking()).isTrue();
  }

  @Test
  void aConnectionThatIsRefusedEcnEndsWhatWasSeenForAWhileWhateverOthersShow() {
    table.learn("a", null, new SocketFacts(true, 3, 1, 500, 10), 0);
    table.ecnRefused("a", 100);
    table.ecnRefused("unknown", 100);
    assertThat(table.of("a", 100)).isEqualTo(new PathFacts("a", 1, false, 0, false, 1, 500, 0));
    table.learn("a", null, new SocketFacts(true, 1, 0, 500, 10), 500);
    assertThat(table.of("a", 100 + KEEP - 1).marking()).isFalse();
    assertThat(table.of("a", 100 + KEEP).marking()).isTrue();
  }

  @Test
  void aMultipathConnectionThatFoundOnePathLeavesOneInterface() {
    table.learn("a", null, new SocketFacts(false, 0, 0, 1, 1), 0);
    assertThat(table.of("a", 0).usable(2)).as("before one was seen").isEqualTo(2);
    table.multipath("a", 0, 0);
    assertThat(table.of("a", 0).usable(2)).as("the other end has none").isEqualTo(1);
    table.multipath("a", 3, 0);
    assertThat(table.of("a", 0).usable(2)).isEqualTo(2);
    assertThat(table.of("a", 0).paths()).isEqualTo(3);
    table.multipath("unknown", 1, 0);
    assertThat(table.of("unknown", 0)).isNull();
  }

  @Test
  void thatThereIsOnePathIsToBeSeenAgainAfterAWhile() {
    table.learn("a", null, new SocketFacts(false, 0, 0, 1, 1), 0);
    table.multipath("a", 1, 100);
    assertThat(table.of("a", 100 + KEEP - 1).usable(2)).isEqualTo(1);
    assertThat(table.of("a", 100 + KEEP).usable(2)).isEqualTo(2);
  }

  @Test
  void theHostThatWasLookedAtLongestAgoIsForgotten() {
    SocketFacts facts = new SocketFacts(false, 0, 0, 1, 1);
    table.learn("a", null, facts, 0);
    table.learn("b", null, facts, 0);
    table.of("a", 0);
    table.learn("c", null, facts, 0);
    assertThat(table.latest(9, 0)).extracting(PathFacts::host).containsExactly("a", "c");
    assertThat(table.latest(1, 0)).extracting(PathFacts::host).containsExactly("c");
  }
}
