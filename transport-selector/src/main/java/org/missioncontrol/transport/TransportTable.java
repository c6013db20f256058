/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport;

import static org.missioncontrol.conf.TransportRule.BYTES;
import static org.missioncontrol.conf.TransportRule.CLASS;
import static org.missioncontrol.conf.TransportRule.ECN;
import static org.missioncontrol.conf.TransportRule.FLOWS;
import static org.missioncontrol.conf.TransportRule.INTERFACES;
import static org.missioncontrol.conf.TransportRule.QUEUE;
import static org.missioncontrol.conf.TransportRule.SEGMENT;
import static org.missioncontrol.conf.TransportRule.USER;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.missioncontrol.conf.TransportRule;
import org.missioncontrol.conf.TransportRule.Range;

/**
 * Chooses the transport of a job that leaves the choice open: the administrator's rules in their
 * order, then the built-in ones. A rule whose transport the host lacks is passed over, and the
 * decision says so. A condition on what is not known does not hold. Pure functions.
 */
public final class TransportTable {
  /**
   * From so many senders at once on, DCTCP leaves short flows behind: of Pareto flows of 50 kB on
   * average 10 sources were served well and 20 were not (the critique of DCTCP, its section 3.5.2).
   */
  static final int HIGH_FAN_IN = 16;

  /** Flows of 100 kB on average were the longer ones there. */
  static final int SHORT_FLOW_BYTES = 100_000;

  /** After the thesis, with the exception that the critique of DCTCP asks for. */
  public static final List<TransportRule> BUILT_IN =
      List.of(
          new TransportRule(
              "built-in: several interfaces",
              Map.of(),
              Map.of(INTERFACES, Range.atLeast(2)),
              Transport.MPTCP.name()),
          new TransportRule(
              "built-in: high fan-in of short flows",
              Map.of(ECN, "yes"),
              Map.of(FLOWS, Range.atLeast(HIGH_FAN_IN), SEGMENT, Range.atMost(SHORT_FLOW_BYTES)),
              Transport.ECN.name()),
          new TransportRule(
              "built-in: the path marks", Map.of(ECN, "yes"), Map.of(), Transport.DCTCP.name()),
          new TransportRule("built-in: otherwise", Map.of(), Map.of(), Transport.DEFAULT.name()));

  private TransportTable() {}

  /**
   * The first rule that holds and that the host can honour.
   *
   * @param rules of the administrator
   */
  public static TransportDecision decide(
      TransportFacts facts, List<TransportRule> rules, HostCapabilities host) {
    TransportSelector selector = new TransportSelector(host);
    List<String> passedOver = new ArrayList<>();
    for (TransportRule rule : Stream.concat(rules.stream(), BUILT_IN.stream()).toList()) {
      if (!holds(rule, facts)) {
        continue;
      }
      String refusal = selector.choose(new Transport(rule.transport())).refusal();
      if (refusal == null) {
        return new TransportDecision(rule.transport(), rule.name(), why(rule, facts), passedOver);
      }
      passedOver.add(rule.name() + " (" + why(rule, facts) + "): " + refusal);
    }
    throw new IllegalStateException("the last built-in rule holds always");
  }

  private static boolean holds(TransportRule rule, TransportFacts facts) {
    return rule.texts().entrySet().stream()
            .allMatch(wanted -> text(wanted.getKey(), facts).equals(wanted.getValue()))
        && rule.ranges().entrySet().stream()
            .allMatch(wanted -> wanted.getValue().has(number(wanted.getKey(), facts)));
  }

  private static String why(TransportRule rule, TransportFacts facts) {
    String why =
        Stream.concat(
                TransportRule.TEXTS.stream()
                    .filter(rule.texts()::containsKey)
                    .map(of -> of + " is " + text(of, facts)),
                TransportRule.NUMBERS.stream()
                    .filter(rule.ranges()::containsKey)
                    .map(
                        of ->
                            of
                                + " is "
                                + number(of, facts)
                                + ", "
                                + Objects.requireNonNull(rule.ranges().get(of))))
            .collect(Collectors.joining("; "));
    return why.isEmpty() ? "no other rule holds" : why;
  }

  private static String text(String of, TransportFacts facts) {
    return switch (of) {
      case USER -> facts.user();
      case QUEUE -> facts.queue();
      case CLASS -> facts.transferClass();
      case ECN -> facts.ecn() ? "yes" : "no";
      default -> throw new IllegalArgumentException("no condition on text: " + of);
    };
  }

  private static long number(String of, TransportFacts facts) {
    return switch (of) {
      case BYTES -> facts.bytes();
      case FLOWS -> facts.flows();
      case SEGMENT -> facts.segmentBytes();
      case INTERFACES -> facts.interfaces();
      default -> throw new IllegalArgumentException("no condition on numbers: " + of);
    };
  }
}
