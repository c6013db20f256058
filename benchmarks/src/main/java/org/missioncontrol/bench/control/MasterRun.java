/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.control;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.ToLongFunction;
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

  private static final long CONFIRM_MS = 2_000;

  private record End(long atMs, Call call) {}

  private final AnnouncePlan plan;
  private final long pollMs;
  private final long callMs;
  private final Map<Node, Integer> calls = new HashMap<>();
  private final Map<Node, Call> polls = new HashMap<>();
  private final Set<Call> answeredEarly = new HashSet<>();

  /**
   * @param intervalMs that a message waits for news at least
   * @param pollMs between two looks at the job
   * @param callMs duration of a call that does not wait
   * @param slots calls at once
   */
  MasterRun(long intervalMs, long pollMs, long callMs, int slots) {
    this.plan = new AnnouncePlan(intervalMs, slots, CONFIRM_MS);
    this.pollMs = pollMs;
    this.callMs = callMs;
  }

  /**
   * Calls to each node in {@code forMs} milliseconds, after as long a start.
   *
   * @param weightChangesMs the descriptor changes each time that so much time has passed
   * @param newsMs on each node, from one change of other jobs' weights there to the next
   */
  Map<Node, Integer> run(
      Set<Node> nodes, long forMs, long weightChangesMs, ToLongFunction<Node> newsMs) {
    PriorityQueue<End> ends =
        new PriorityQueue<>((one, other) -> Long.compare(one.atMs(), other.atMs()));
    long nextLook = 0;
    for (long now = 0; now < 2 * forMs; now = ends.isEmpty() ? nextLook : next(ends, nextLook)) {
      while (!ends.isEmpty() && ends.peek().atMs() <= now) {
        Call call = ends.remove().call();
        if (!answeredEarly.remove(call)) {
          plan.ended(call, ACCEPTED, now);
        }
      }
      if (now >= nextLook) {
        plan.want(nodes, now / weightChangesMs, now);
        nextLook = now + pollMs;
      }
      for (Call call : plan.due(now)) {
        begin(call, now, newsMs.applyAsLong(call.node()), ends);
        if (now >= forMs) {
          calls.merge(call.node(), 1, Integer::sum);
        }
      }
    }
    return calls;
  }

  private void begin(Call call, long now, long newsMs, PriorityQueue<End> ends) {
    boolean waits = call.kind() == Call.Kind.POLL || call.kind() == Call.Kind.UPDATE;
    Call older = waits ? polls.put(call.node(), call) : null;
    if (older != null && call.kind() == Call.Kind.UPDATE && plan.ended(older, ACCEPTED, now)) {
      answeredEarly.add(older);
    }
    long waitsMs = Math.min(plan.waitMs(), Math.max(plan.restMs(), newsMs));
    ends.add(new End(now + (waits ? waitsMs : callMs), call));
  }

  private static long next(PriorityQueue<End> ends, long nextLook) {
    End first = ends.peek();
    return first == null ? nextLook : Math.min(first.atMs(), nextLook);
  }
}
