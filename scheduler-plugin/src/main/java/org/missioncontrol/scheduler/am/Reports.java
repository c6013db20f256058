/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.missioncontrol.scheduler.control.HostAnswer;
import org.missioncontrol.scheduler.control.HostView;
import org.missioncontrol.transport.HostTraits;
import org.slf4j.Logger;

/** What the NodeManagers said, and what is told of it in the log. Owned by the controller. */
final class Reports {
  private final Complaints complaints;
  private final Logger log;
  // Written by the controller's thread alone, read by any.
  private final Map<Node, HostAnswer> answers = new ConcurrentHashMap<>();
  private long announcements;
  private long failures;

  Reports(Complaints complaints, Logger log) {
    this.complaints = complaints;
    this.log = log;
  }

  /** The newest view of each NodeManager that answered. */
  Map<Node, HostView> views() {
    return answers.entrySet().stream()
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, node -> node.getValue().view()));
  }

  /** The state of the newest answer of a NodeManager; empty before the first. */
  String state(Node node) {
    HostAnswer answer = answers.get(node);
    return answer == null ? "" : answer.state();
  }

  void ended(String job, Call call, Outcome outcome) {
    if (call.kind() != Call.Kind.WITHDRAW) {
      announcements++;
    }
    if (outcome instanceof Outcome.Accepted accepted) {
      if (call.kind() != Call.Kind.WITHDRAW) {
        keep(job, call.node(), accepted.answer());
      }
    } else if (outcome instanceof Outcome.Stock stock) {
      complaints.once(
          "stock",
          call.node()
              + " answers "
              + stock.status()
              + " as a stock shuffle handler does; it shares no flows");
    } else if (outcome instanceof Outcome.Busy) {
      complaints.once(
          "busy", call.node() + " has no place for a message that waits; it is asked now and then");
    } else if (outcome instanceof Outcome.Failed failed) {
      failures++;
      complaints.once(
          "call " + failed.kind(),
          call.node() + " did not take " + call.kind() + "; it is asked again: " + failed.reason());
    }
  }

  private void keep(String job, Node node, HostAnswer answer) {
    if (answers.put(node, answer) != null) {
      return;
    }
    int share =
        answer.view().transfers().stream()
            .filter(transfer -> transfer.job().equals(job))
            .mapToInt(HostView.TransferView::share)
            .sum();
    HostTraits traits = answer.traits();
    log.info(
        "{} has a budget of {} flows; share of {} now: {}; transports {}{}",
        node,
        answer.view().budget(),
        job,
        share,
        answer.view().congestionControls(),
        traits == null ? "" : ", " + traits.describe());
  }

  void summarize(String job) {
    log.info(
        "Mission Control ends with {}: {} NodeManagers, {} announcements, {} failures",
        job,
        answers.size(),
        announcements,
        failures);
  }
}
