/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which NodeManager is told what, and when. A node that runs reducers is told at once, again when
 * the meaning changes, and again each interval; one that no longer runs any is told to forget. A
 * failing node is asked at doubling intervals and never holds more than half of the slots; a stock
 * one is asked again once in {@value #STOCK_RETRY_MS} ms, since it may be upgraded. There is never
 * more than one call to a node under way.
 *
 * <p>Pure but for its own state: time is an argument (milliseconds, any origin). Owned by the
 * controller's thread.
 */
public final class AnnouncePlan {
  static final long STOCK_RETRY_MS = 60_000;
  static final long MAX_BACK_OFF_MS = 60_000;

  private static final Comparator<NodeState> HEALTHY_AND_OLDEST_FIRST =
      Comparator.<NodeState>comparingInt(state -> state.failures)
          .thenComparingLong(state -> state.dueMs)
          .thenComparing(state -> state.node);

  private final long intervalMs;
  private final int slots;
  private final Map<Node, NodeState> states = new HashMap<>();
  private @Nullable Object meaning;
  private int underWay;
  private int suspectsUnderWay;

  /**
   * A plan without nodes.
   *
   * @param intervalMs milliseconds after which an unchanged transfer is told again
   * @param slots calls that may be under way at once
   */
  public AnnouncePlan(long intervalMs, int slots) {
    this.intervalMs = intervalMs;
    this.slots = slots;
  }

  /**
   * Sets the nodes that shall know the transfer, and what they shall know: a value that equals the
   * last one unless nodes must hear of the change before the interval is over.
   */
  public void want(Set<Node> nodes, Object newMeaning, long nowMs) {
    meaning = newMeaning;
    for (NodeState state : states.values()) {
      state.wanted = nodes.contains(state.node);
    }
    for (Node node : nodes) {
      states.computeIfAbsent(node, added -> new NodeState(added, nowMs)).wanted = true;
    }
    states.values().removeIf(state -> state.forgettable(nowMs));
  }

  /** The calls to start now; the caller starts each and reports its {@link #ended end}. */
  public List<Call> due(long nowMs) {
    List<Call> calls = new ArrayList<>();
    if (underWay == slots) {
      return calls;
    }
    for (NodeState state :
        states.values().stream()
            .filter(state -> isDue(state, nowMs))
            .sorted(HEALTHY_AND_OLDEST_FIRST)
            .toList()) {
      boolean suspect = state.failures > 0;
      if (underWay < slots && (!suspect || suspectsUnderWay < Math.max(1, slots / 2))) {
        calls.add(start(state, suspect));
      }
    }
    return calls;
  }

  private boolean isDue(NodeState state, long nowMs) {
    if (state.underWay) {
      return false;
    }
    if (!state.wanted) {
      return state.announced;
    }
    boolean news = state.announced && state.failures == 0 && !state.isTold(meaning);
    return news || nowMs >= state.dueMs;
  }

  private Call start(NodeState state, boolean suspect) {
    state.underWay = true;
    state.suspectUnderWay = suspect;
    underWay++;
    suspectsUnderWay += suspect ? 1 : 0;
    if (!state.wanted) {
      return new Call(state.node, Call.Kind.WITHDRAW);
    }
    state.told = meaning;
    return new Call(state.node, Call.Kind.ANNOUNCE);
  }

  /** Takes the end of a call that {@link #due} gave. */
  public void ended(Call call, Outcome outcome, long nowMs) {
    NodeState state = states.get(call.node());
    if (state == null || !state.underWay) {
      throw new IllegalStateException("no call under way to " + call.node());
    }
    state.underWay = false;
    underWay--;
    suspectsUnderWay -= state.suspectUnderWay ? 1 : 0;
    boolean withdrawn = call.kind() == Call.Kind.WITHDRAW;
    if (outcome instanceof Outcome.Accepted) {
      state.failures = 0;
      state.announced = !withdrawn;
      state.dueMs = withdrawn ? nowMs : nowMs + intervalMs;
    } else if (outcome instanceof Outcome.Stock) {
      state.failures = 0;
      state.announced = false;
      state.dueMs = nowMs + STOCK_RETRY_MS;
    } else {
      state.failures++;
      state.announced &= !withdrawn;
      state.dueMs = nowMs + backOff(state.failures);
    }
  }

  /** Milliseconds from the last of so many failures in a row to the next call. */
  private long backOff(int failures) {
    long doubled = intervalMs << Math.min(failures - 1, 10);
    return Math.max(intervalMs, Math.min(doubled, MAX_BACK_OFF_MS));
  }

  /** Every node that may know the transfer now. */
  List<Node> mayKnow() {
    return states.values().stream()
        .filter(state -> state.announced || (state.underWay && state.wanted))
        .map(state -> state.node)
        .sorted()
        .toList();
  }

  /** Whether no call is under way and no node is left that was told and not told to forget. */
  boolean isQuiet() {
    return underWay == 0 && mayKnow().isEmpty();
  }

  /** Nodes that are remembered for whatever reason. */
  int remembered() {
    return states.size();
  }

  /** What is known of one node. Owned by the plan. */
  private static final class NodeState {
    private final Node node;
    private boolean wanted;
    private boolean announced;
    private boolean underWay;
    private boolean suspectUnderWay;
    private int failures;
    private long dueMs;
    private @Nullable Object told;

    NodeState(Node node, long dueMs) {
      this.node = node;
      this.dueMs = dueMs;
    }

    boolean isTold(@Nullable Object meaning) {
      return meaning != null && meaning.equals(told);
    }

    /** A back-off outlives the wish, lest a node that comes and goes be asked each time. */
    boolean forgettable(long nowMs) {
      return !wanted && !announced && !underWay && nowMs >= dueMs;
    }
  }
}
