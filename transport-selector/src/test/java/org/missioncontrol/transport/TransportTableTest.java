/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.missioncontrol.conf.TransportRule.BYTES;
import static org.missioncontrol.conf.TransportRule.CLASS;
import static org.missioncontrol.conf.TransportRule.FLOWS;
import static org.missioncontrol.conf.TransportRule.QUEUE;
import static org.missioncontrol.conf.TransportRule.SEGMENT;
import static org.missioncontrol.conf.TransportRule.USER;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.missioncontrol.conf.TransportRule;
import org.missioncontrol.conf.TransportRule.Range;

class TransportTableTest {
  private static final HostCapabilities HOST =
      new HostCapabilities(true, "cubic", List.of("cubic", "reno", "bbr", "dctcp"));
  private static final HostCapabilities BARE =
      new HostCapabilities(true, "cubic", List.of("cubic", "reno"));
  private static final TransportFacts FACTS =
      new TransportFacts("ann", "prod", "shuffle", 1000, 4, 50, 1, false);

  @ParameterizedTest
  @CsvSource({
    "user, ann, true",
    "user, bob, false",
    "queue, prod, true",
    "queue, batch, false",
    "class, shuffle, true",
    "class, broadcast, false",
    "ecn, no, true",
    "ecn, yes, false",
  })
  void aConditionOnTextHoldsWhereItIsEqual(String of, String value, boolean holds) {
    assertThat(fits(new TransportRule("rule.1", Map.of(of, value), Map.of(), "bbr"), FACTS))
        .isEqualTo(holds);
  }

  @ParameterizedTest
  @CsvSource({
    "bytes, 1000, 1000, true",
    "bytes, 1001, 9999, false",
    "bytes, 0, 999, false",
    "flows, 4, 4, true",
    "flows, 5, 9, false",
    "segment, 50, 50, true",
    "segment, 51, 99, false",
    "interfaces, 1, 1, true",
    "interfaces, 2, 9, false",
  })
  void aConditionOnANumberHoldsFromItsLeastToItsMost(
      String of, long least, long most, boolean holds) {
    TransportRule rule =
        new TransportRule("rule.1", Map.of(), Map.of(of, new Range(least, most)), "bbr");
    assertThat(fits(rule, FACTS)).isEqualTo(holds);
  }

  @Test
  void aConditionOnWhatIsNotKnownHoldsNeitherWay() {
    TransportFacts unknown = new TransportFacts("ann", "", "", -1, 4, -1, 1, false);
    for (String of : List.of(BYTES, SEGMENT)) {
      assertThat(fits(ranged(of, Range.atLeast(0)), unknown)).as(of).isFalse();
      assertThat(fits(ranged(of, Range.atMost(1 << 20)), unknown)).as(of).isFalse();
    }
    for (String of : List.of(QUEUE, CLASS)) {
      assertThat(fits(new TransportRule("r", Map.of(of, "x"), Map.of(), "bbr"), unknown)).isFalse();
    }
  }

  @Test
  void everyConditionOfARuleMustHold() {
    TransportRule rule =
        new TransportRule(
            "rule.1",
            Map.of(USER, "ann", CLASS, "shuffle"),
            Map.of(FLOWS, Range.atLeast(4)),
            "bbr");
    assertThat(fits(rule, FACTS)).isTrue();
    TransportFacts fewer = new TransportFacts("ann", "prod", "shuffle", 1000, 3, 50, 1, false);
    assertThat(fits(rule, fewer)).isFalse();
  }

  @Test
  void theFirstRuleThatHoldsCountsAndSaysWhy() {
    TransportDecision decision =
        TransportTable.decide(
            FACTS,
            List.of(
                new TransportRule("rule.1", Map.of(USER, "bob"), Map.of(), "reno"),
                new TransportRule(
                    "rule.2", Map.of(USER, "ann"), Map.of(BYTES, Range.atLeast(7)), "bbr"),
                new TransportRule("rule.3", Map.of(), Map.of(), "cubic")),
            HOST);
    assertThat(decision)
        .isEqualTo(
            new TransportDecision(
                "bbr", "rule.2", "user is ann; bytes is 1000, at least 7", List.of()));
  }

  @Test
  void aRuleWhoseTransportTheHostLacksIsPassedOverAndNamed() {
    TransportDecision decision =
        TransportTable.decide(
            FACTS,
            List.of(
                new TransportRule("rule.1", Map.of(), Map.of(), "dctcp"),
                new TransportRule("rule.2", Map.of(), Map.of(), "reno")),
            BARE);
    assertThat(decision.transport()).isEqualTo("reno");
    assertThat(decision.passedOver())
        .singleElement()
        .asString()
        .contains("rule.1", "dctcp", "cubic, reno");
  }

  @Test
  void withoutAnythingKnownTheKernelsOwnIsTaken() {
    TransportDecision decision = TransportTable.decide(FACTS, List.of(), HOST);
    assertThat(decision.transport()).isEqualTo("default");
    assertThat(decision.rule()).isEqualTo("built-in: otherwise");
    assertThat(decision.passedOver()).isEmpty();
  }

  @Test
  void aPathThatMarksGetsDctcp() {
    TransportDecision decision = TransportTable.decide(marked(15, 50), List.of(), HOST);
    assertThat(decision.transport()).isEqualTo("dctcp");
    assertThat(decision.why()).isEqualTo("ecn is yes");
  }

  @Test
  void highFanInOfShortFlowsOnAPathThatMarksGetsTcpWithEcn() {
    assertThat(builtIn(marked(16, 100_000))).isEqualTo("ecn");
    assertThat(builtIn(marked(16, 100_001))).as("long flows").isEqualTo("dctcp");
    assertThat(builtIn(marked(15, 100_000))).as("few flows").isEqualTo("dctcp");
    assertThat(builtIn(marked(16, -1))).as("of unknown length").isEqualTo("dctcp");
  }

  @Test
  void severalInterfacesGetMptcpOnlyWhereTheHostHasIt() {
    TransportFacts two = new TransportFacts("ann", "prod", "shuffle", 1000, 4, 50, 2, false);
    HostCapabilities multipath =
        new HostCapabilities(true, "cubic", List.of("cubic", "reno", "mptcp"));
    assertThat(TransportTable.decide(two, List.of(), multipath).transport()).isEqualTo("mptcp");
    TransportDecision without = TransportTable.decide(two, List.of(), HOST);
    assertThat(without.transport()).isEqualTo("default");
    assertThat(without.passedOver()).singleElement().asString().contains("interfaces", "mptcp");
  }

  @Test
  void theHostThatCannotNegotiateEcnKeepsItsDefaultOnAPathThatMarks() {
    TransportDecision decision = TransportTable.decide(marked(16, 50), List.of(), BARE);
    assertThat(decision.transport()).isEqualTo("default");
    assertThat(decision.passedOver()).hasSize(2);
  }

  private static String builtIn(TransportFacts facts) {
    return TransportTable.decide(facts, List.of(), HOST).transport();
  }

  private static TransportFacts marked(int flows, long segment) {
    return new TransportFacts("ann", "prod", "shuffle", 1000, flows, segment, 1, true);
  }

  private static TransportRule ranged(String of, Range range) {
    return new TransportRule("rule.1", Map.of(), Map.of(of, range), "bbr");
  }

  private static boolean fits(TransportRule rule, TransportFacts facts) {
    return TransportTable.decide(facts, List.of(rule), HOST).rule().equals(rule.name());
  }
}
