/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.control;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.missioncontrol.scheduler.am.AnnouncePlan;
import org.missioncontrol.scheduler.am.Call;
import org.missioncontrol.scheduler.am.Node;
import org.missioncontrol.scheduler.am.Outcome;
import org.missioncontrol.scheduler.control.ControlProtocol;
import org.missioncontrol.scheduler.control.HostAnswer;
import org.missioncontrol.scheduler.control.HostView;

/** One ApplicationMaster's calls in virtual time, by the plan that ships. Not shared. */
final class MasterRun {
  private static final Outcome ACCEPTED =
      new Outcome.Accepted(
          new HostAnswer(
              ControlProtocol.VERSION,
              "state",
              new HostView(ControlProtocol.VERSION, "fair", 0, 0, List.of(), List.of()),
              null,
              null));

  private record End(long atMs, Call call) {}

  private final AnnouncePlan plan;
  private final long pollMs;
  private final long callMs;
  private final Map<Node, Integer> calls = new HashMap<>();

  /**
   * @param intervalMs that a message waits for news at least
   * @param pollMs between two looks at the job
   * @param callMs duration of a call that does not wait
   * @param slots calls at once
   */
  MasterRun(long intervalMs, long pollMs, long callMs, int slots) {
    this.plan = new AnnouncePlan(intervalMs, slots);
    this.pollMs = pollMs;
    this.callMs = callMs;
  }

  /**
   * Calls to each node in {@code forMs} milliseconds, after as long a start.
   *
   * @param weightChangesMs the descriptor changes each time that so much time has passed
   */
  Map<Node, Integer> run(Set<Node> nodes, long forMs, long weightChangesMs) {
    PriorityQueue<End> ends =
        new PriorityQueue<>((one, other) -> Long.compare(one.atMs(), other.atMs()));
    long nextLook = 0;
    for (long now = 0; now < 2 * forMs; now = ends.isEmpty() ? nextLook : next(ends, nextLook)) {
      while (!ends.isEmpty() && ends.peek().atMs() <= now) {
        plan.ended(ends.remove().call(), ACCEPTED, now);
      }
      if (now >= nextLook) {
        plan.want(nodes, now / weightChangesMs, now);
        nextLook = now + pollMs;
      }
      for (Call call : plan.due(now)) {
        ends.add(new End(now + (call.kind() == Call.Kind.POLL ? plan.waitMs() : callMs), call));
        if (now >= forMs) {
          calls.merge(call.node(), 1, Integer::sum);
        }
      }
    }
    return calls;
  }

  private static long next(PriorityQueue<End> ends, long nextLook) {
    End first = ends.peek();
    return first == null ? nextLook : Math.min(first.atMs(), nextLook);
  }
}
