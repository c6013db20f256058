/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport;

import java.util.List;

/**
 * Which transport was chosen, and why. Immutable.
 *
 * @param transport name of what is used, {@code default} for the kernel's own
 * @param rule that chose it: a key of the administrator's file, or one in words
 * @param why the facts that it was chosen by
 * @param passedOver rules that would have come before it, each with what this host lacks for it
 */
public record TransportDecision(
    String transport, String rule, String why, List<String> passedOver) {
  /** Copies the list. */
  public TransportDecision {
    passedOver = List.copyOf(passedOver);
  }

  /** Whether the same rule has chosen the same, whatever the facts were. */
  public boolean sameRuleAs(TransportDecision other) {
    return transport.equals(other.transport) && rule.equals(other.rule);
  }

  /** What somebody asked for by name. */
  public static TransportDecision asked(String transport, String by, String why) {
    return new TransportDecision(transport, by, why, List.of());
  }
}
