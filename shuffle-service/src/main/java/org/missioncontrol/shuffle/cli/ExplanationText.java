/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.cli;

import org.missioncontrol.shuffle.cli.Explanation.OtherClaim;
import org.missioncontrol.shuffle.throttle.ThrottleSnapshot.TransportUse;
import org.missioncontrol.transport.TransportDecision;

/** An explanation for a terminal. Immutable. */
final class ExplanationText {
  private ExplanationText() {}

  static String of(Explanation it, String node) {
    StringBuilder text = new StringBuilder();
    text.append(it.job())
        .append(" of ")
        .append(Words.plain(it.user()))
        .append(" on ")
        .append(node)
        .append(" holds ")
        .append(Words.flows(it.held()))
        .append(" and may hold ")
        .append(it.share())
        .append('\n');
    Table facts =
        new Table("  policy", Words.plain(it.policy()))
            .row("  weight", weight(it))
            .row(
                "  demand",
                Words.flows(it.demand())
                    + ", of which it waits for "
                    + Math.max(0, it.demand() - it.held()))
            .row("  budget", Words.flows(it.budget()) + " on this host, " + it.inUse() + " in use");
    for (TransportUse use : it.transports()) {
      facts.row("  transport", transport(use));
    }
    text.append(facts);
    Table claims = new Table("    JOB", "USER", ">WEIGHT", ">WANTS", ">MAY HOLD", ">HOLDS");
    for (OtherClaim claim : it.claims()) {
      claims.row(
          (claim.job().equals(it.job()) ? "  * " : "    ") + claim.job(),
          Words.plain(claim.user()),
          Words.number(claim.weight()),
          claim.demand(),
          claim.share(),
          claim.held());
    }
    text.append(claims);
    it.reasons().forEach(reason -> text.append("  - ").append(reason).append('\n'));
    return text.toString();
  }

  private static String transport(TransportUse use) {
    TransportDecision decision = use.decision();
    return Words.plain(decision.transport())
        + ", by "
        + Words.plain(decision.rule())
        + " ("
        + Words.plain(decision.why())
        + ")"
        + (use.hosts() == 0
            ? ""
            : ", from "
                + Words.plain(String.join(" ", use.mapHosts()))
                + (use.hosts() > use.mapHosts().size()
                    ? " and " + (use.hosts() - use.mapHosts().size()) + " more"
                    : ""));
  }

  private static String weight(Explanation it) {
    return Words.number(it.weight())
        + " (wants "
        + Words.number(it.wantedWeight())
        + (it.weightCap() == null ? ", no cap" : ", cap " + Words.number(it.weightCap()))
        + (it.announced() ? ")" : ", not announced)");
  }
}
