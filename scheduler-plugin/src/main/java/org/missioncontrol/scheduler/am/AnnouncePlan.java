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
import org.missioncontrol.scheduler.control.ControlProtocol;

/**
 * Which NodeManager is told what, and when. A node that runs reducers is told at once; then a poll
 * waits there, which says it again each interval and brings news as soon as there are any. When the
 * meaning changes, all are told at once: where a poll waits, by a newer poll, which the answer to
 * the older one confirms. A node that runs no more reducers is told to forget. One whose poll is
 * cut is told again at once, a failing one at doubling pauses: short ones as long as it may be
 * restarting, then longer ones; failing nodes never hold more than half of the slots. A stock one
 * is asked again once in {@value #STOCK_RETRY_MS} ms, since it may be upgraded. Polls need no slot:
 * they cost nothing while they wait.
 *
 * <p>Pure but for its own state: time is an argument (milliseconds, any origin). Owned by the
 * controller's thread.
 */
public final class AnnouncePlan {
  static final long STOCK_RETRY_MS = 60_000;
  static final long MAX_BACK_OFF_MS = 60_000;

  /** First pause after a failure, milliseconds. */
  static final long FIRST_BACK_OFF_MS = 100;

  /** Longest pause while a NodeManager may be restarting, and for how long that is. */
  static final long RESTART_BACK_OFF_MS = 800;

  static final long RESTART_MS = 120_000;

  /** A job on many nodes polls each more seldom: so many milliseconds for each of them. */
  static final long WAIT_MS_PER_NODE = 3;

  /** Least time from one poll of a node to the next, milliseconds. */
  static final long MIN_POLL_GAP_MS = 50;

  private static final Comparator<NodeState> HEALTHY_AND_OLDEST_FIRST =
      Comparator.<NodeState>comparingInt(state -> state.failures)
          .thenComparingLong(state -> state.dueMs)
          .thenComparing(state -> state.node);

  private static final Outcome SILENT = new Outcome.Failed("silent", "no answer to an update");

  private final long intervalMs;
  private final int slots;
  private final long confirmMs;
  private final Map<Node, NodeState> states = new HashMap<>();
  private @Nullable Object meaning;
  private long calls;
  private long lookedMs;
  private int underWay;
  private int suspectsUnderWay;
  private int wanted;

  /**
   * @param intervalMs that a poll may wait at least, and the time to the next announcement where
   *     none can
   * @param slots calls that may be under way at once, without polls
   * @param confirmMs within which a node must answer the older poll when a newer has been sent
   */
  public AnnouncePlan(long intervalMs, int slots, long confirmMs) {
    this.intervalMs = intervalMs;
    this.slots = slots;
    this.confirmMs = confirmMs;
  }

  /**
   * Sets the nodes that shall know the transfer, and what they shall know: a value that equals the
   * last one unless nodes must hear of the change before the interval is over.
   */
  public void want(Set<Node> nodes, Object newMeaning, long nowMs) {
    meaning = newMeaning;
    wanted = nodes.size();
    for (NodeState state : states.values()) {
      state.wanted = nodes.contains(state.node);
    }
    for (Node node : nodes) {
      states.computeIfAbsent(node, added -> new NodeState(added, nowMs)).wanted = true;
    }
    states.values().removeIf(state -> state.forgettable(nowMs));
  }

  /**
   * How long a poll may wait for news, milliseconds: so long that all polls together end a few
   * hundred times a second at most, however many nodes there are.
   */
  public long waitMs() {
    return Math.max(intervalMs, restMs());
  }

  /** How long news of mere shares may rest, milliseconds: none on a few nodes. */
  public long restMs() {
    return Math.min(wanted * WAIT_MS_PER_NODE, ControlProtocol.MAX_WAIT_MS);
  }

  /** The calls to start now; the caller starts each and reports its {@link #ended end}. */
  public List<Call> due(long nowMs) {
    lookedMs = nowMs;
    states.values().stream()
        .filter(state -> state.replaced != null && nowMs >= state.startedMs + confirmMs)
        .forEach(state -> unconfirmed(state, nowMs));
    List<Call> due = new ArrayList<>();
    for (NodeState state :
        states.values().stream()
            .filter(state -> isDue(state, nowMs))
            .sorted(HEALTHY_AND_OLDEST_FIRST)
            .toList()) {
      boolean suspect = state.failures > 0;
      Call.Kind kind = kind(state);
      if (kind == Call.Kind.POLL
          || (underWay < slots && (!suspect || suspectsUnderWay < Math.max(1, slots / 2)))) {
        due.add(start(state, kind, suspect, nowMs));
      }
    }
    return due;
  }

  private boolean isDue(NodeState state, long nowMs) {
    if (state.holdsSlot) {
      return false;
    }
    if (!state.wanted) {
      return state.announced;
    }
    return hasNews(state) || (state.active == null && nowMs >= state.dueMs);
  }

  private boolean hasNews(NodeState state) {
    return state.announced && state.failures == 0 && !state.isTold(meaning);
  }

  private Call.Kind kind(NodeState state) {
    if (!state.wanted) {
      return Call.Kind.WITHDRAW;
    }
    if (state.active != null) {
      return Call.Kind.UPDATE;
    }
    return state.mayPoll && state.isTold(meaning) ? Call.Kind.POLL : Call.Kind.ANNOUNCE;
  }

  /** Takes the place of a poll that waits. */
  private Call start(NodeState state, Call.Kind kind, boolean suspect, long nowMs) {
    Call call = new Call(state.node, kind, ++calls);
    state.replaced = kind == Call.Kind.UPDATE ? state.active : null;
    state.active = call;
    state.startedMs = nowMs;
    if (kind != Call.Kind.POLL) {
      state.holdsSlot = true;
      state.suspectUnderWay = suspect;
      underWay++;
      suspectsUnderWay += suspect ? 1 : 0;
    }
    if (kind != Call.Kind.WITHDRAW) {
      state.told = meaning;
    }
    return call;
  }

  /**
   * Takes the end of a call that {@link #due} gave.
   *
   * @return false if it is the end of a call that another took the place of, and not its
   *     confirmation
   */
  public boolean ended(Call call, Outcome outcome, long nowMs) {
    NodeState state = states.get(call.node());
    boolean active = state != null && call.equals(state.active);
    boolean waits = call.kind() == Call.Kind.POLL || call.kind() == Call.Kind.UPDATE;
    if (state != null && call.equals(state.replaced)) {
      confirmed(state, outcome, nowMs);
      return true;
    }
    if (state == null || !active) {
      if (waits) {
        return false;
      }
      throw new IllegalStateException("no call under way to " + call.node());
    }
    state.active = null;
    state.replaced = null;
    freeSlot(state);
    if (waits) {
      pollEnded(state, outcome, nowMs);
    } else {
      callEnded(state, call.kind() == Call.Kind.WITHDRAW, outcome, nowMs);
    }
    return true;
  }

  private void freeSlot(NodeState state) {
    if (state.holdsSlot) {
      state.holdsSlot = false;
      underWay--;
      suspectsUnderWay -= state.suspectUnderWay ? 1 : 0;
    }
  }

  /** The poll that an update took the place of has ended: the update is there and waits. */
  private void confirmed(NodeState state, Outcome outcome, long nowMs) {
    state.replaced = null;
    freeSlot(state);
    if (!(outcome instanceof Outcome.Accepted)) {
      state.active = null;
      pollEnded(state, outcome, nowMs);
    }
  }

  /** Counts as a failure: neither the older nor the newer poll is of interest any more. */
  private void unconfirmed(NodeState state, long nowMs) {
    state.active = null;
    state.replaced = null;
    freeSlot(state);
    callEnded(state, false, SILENT, nowMs);
  }

  private void pollEnded(NodeState state, Outcome outcome, long nowMs) {
    if (outcome instanceof Outcome.Accepted) {
      state.dueMs = Math.max(nowMs, state.startedMs + MIN_POLL_GAP_MS);
    } else if (outcome instanceof Outcome.Busy) {
      state.mayPoll = false;
      state.dueMs = nowMs + intervalMs;
    } else {
      // Cut or refused: whoever is there may have forgotten the transfer.
      state.mayPoll = false;
      state.dueMs = nowMs;
    }
  }

  private void callEnded(NodeState state, boolean withdrawn, Outcome outcome, long nowMs) {
    if (outcome instanceof Outcome.Accepted || outcome instanceof Outcome.Busy) {
      state.failures = 0;
      state.announced = !withdrawn;
      state.mayPoll = !withdrawn;
      state.dueMs = nowMs;
    } else if (outcome instanceof Outcome.Stock) {
      state.failures = 0;
      state.announced = false;
      state.mayPoll = false;
      state.dueMs = nowMs + STOCK_RETRY_MS;
    } else {
      if (state.failures++ == 0) {
        state.failingSinceMs = nowMs;
        state.failuresAfterRestart = 0;
      }
      state.announced &= !withdrawn;
      state.mayPoll = false;
      state.dueMs = nowMs + backOff(state, nowMs);
    }
  }

  /** Milliseconds from the last of several failures in a row to the next call. */
  private static long backOff(NodeState state, long nowMs) {
    if (nowMs - state.failingSinceMs < RESTART_MS) {
      return Math.min(FIRST_BACK_OFF_MS << Math.min(state.failures - 1, 10), RESTART_BACK_OFF_MS);
    }
    state.failuresAfterRestart++;
    long doubled = RESTART_BACK_OFF_MS << Math.min(state.failuresAfterRestart, 10);
    return Math.min(doubled, MAX_BACK_OFF_MS);
  }

  /** Every node that may know the transfer now. */
  List<Node> mayKnow() {
    return states.values().stream()
        .filter(state -> state.announced || (state.active != null && state.wanted))
        .map(state -> state.node)
        .sorted()
        .toList();
  }

  /** Whether no call is under way and no node is left that was told and not told to forget. */
  boolean isQuiet() {
    return underWay == 0 && mayKnow().isEmpty();
  }

  /**
   * Milliseconds from {@code nowMs} to when something becomes due by time alone, at least 0; what
   * waits for a slot does not.
   */
  long untilDue(long nowMs) {
    return states.values().stream()
        .mapToLong(state -> nextMs(state))
        .filter(nextMs -> nextMs > lookedMs)
        .map(nextMs -> Math.max(0, nextMs - nowMs))
        .min()
        .orElse(Long.MAX_VALUE);
  }

  private long nextMs(NodeState state) {
    if (state.replaced != null) {
      return state.startedMs + confirmMs;
    }
    return state.active == null && state.wanted ? state.dueMs : Long.MIN_VALUE;
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
    private boolean mayPoll;
    private @Nullable Call active;

    /** The poll that waits for its answer since an update, which is active, took its place. */
    private @Nullable Call replaced;

    private boolean holdsSlot;
    private boolean suspectUnderWay;
    private int failures;
    private int failuresAfterRestart;
    private long failingSinceMs;
    private long startedMs;
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
      return !wanted && !announced && active == null && nowMs >= dueMs;
    }
  }
}
