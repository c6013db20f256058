/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.missioncontrol.scheduler.am.Call.Kind;
import org.missioncontrol.scheduler.control.HostView;

class AnnouncePlanTest {
  private static final Node A = new Node("a", 1);
  private static final Node B = new Node("b", 1);
  private static final Outcome ACCEPTED =
      new Outcome.Accepted(new HostView(1, "fair", 20, 0, List.of(), List.of()));
  private static final Outcome FAILED = new Outcome.Failed("refused", "refused");

  private final AnnouncePlan plan = new AnnouncePlan(3000, 4);

  @Test
  void aNodeIsToldAtOnceAndAgainEachInterval() {
    plan.want(Set.of(A), "w1", 0);
    succeed(0, announce(A));
    assertThat(plan.due(2999)).isEmpty();
    succeed(3000, announce(A));
    assertThat(plan.due(5999)).isEmpty();
    assertThat(plan.due(6000)).containsExactly(announce(A));
  }

  @Test
  void aChangeOfMeaningIsToldAtOnceAndOnce() {
    plan.want(Set.of(A), "w1", 0);
    succeed(0, announce(A));
    plan.want(Set.of(A), "w2", 10);
    succeed(10, announce(A));
    plan.want(Set.of(A), "w2", 20);
    assertThat(plan.due(20)).isEmpty();
  }

  @Test
  void aChangeDuringACallIsToldAfterIt() {
    plan.want(Set.of(A), "w1", 0);
    List<Call> calls = plan.due(0);
    plan.want(Set.of(A), "w2", 10);
    assertThat(plan.due(10)).isEmpty();
    plan.ended(calls.get(0), ACCEPTED, 20);
    assertThat(plan.due(20)).containsExactly(announce(A));
  }

  @Test
  void aNodeWithoutReducersIsToldToForgetAndIsForgotten() {
    plan.want(Set.of(A, B), "w", 0);
    succeed(0, announce(A), announce(B));
    plan.want(Set.of(B), "w", 100);
    assertThat(plan.isQuiet()).isFalse();
    succeed(100, new Call(A, Kind.WITHDRAW));
    plan.want(Set.of(B), "w", 200);
    assertThat(plan.due(200)).isEmpty();
    assertThat(plan.remembered()).isEqualTo(1);
    assertThat(plan.mayKnow()).containsExactly(B);
  }

  @Test
  void aNodeThatWasNeverReachedIsNotToldToForget() {
    plan.want(Set.of(A), "w", 0);
    end(FAILED, 0, announce(A));
    plan.want(Set.of(), "w", 100);
    assertThat(plan.due(100)).isEmpty();
    assertThat(plan.isQuiet()).isTrue();
  }

  @Test
  void aNodeWhoseReducersComeBackWhileItForgetsIsToldAgain() {
    plan.want(Set.of(A), "w", 0);
    succeed(0, announce(A));
    plan.want(Set.of(), "w", 100);
    List<Call> calls = plan.due(100);
    plan.want(Set.of(A), "w", 110);
    plan.ended(calls.get(0), ACCEPTED, 120);
    assertThat(plan.due(120)).containsExactly(announce(A));
  }

  @Test
  void aFailingNodeIsAskedAtDoublingIntervalsUpToAMinute() {
    plan.want(Set.of(A), "w", 0);
    long now = 0;
    for (long pause : new long[] {3000, 6000, 12_000, 24_000, 48_000, 60_000, 60_000}) {
      end(FAILED, now, announce(A));
      plan.want(Set.of(A), "changed at " + now, now);
      assertThat(plan.due(now + pause - 1)).isEmpty();
      now += pause;
    }
    succeed(now, announce(A));
    assertThat(plan.due(now + 3000)).containsExactly(announce(A));
  }

  @Test
  void theBackOffSurvivesThatTheReducersGoAndComeBack() {
    plan.want(Set.of(A), "w", 0);
    end(FAILED, 0, announce(A));
    plan.want(Set.of(), "w", 100);
    plan.want(Set.of(A), "w", 200);
    assertThat(plan.due(2999)).isEmpty();
    assertThat(plan.due(3000)).containsExactly(announce(A));
  }

  @Test
  void aStockNodeIsAskedAgainRarely() {
    plan.want(Set.of(A), "w", 0);
    end(new Outcome.Stock(405), 0, announce(A));
    plan.want(Set.of(A), "changed", 100);
    assertThat(plan.due(AnnouncePlan.STOCK_RETRY_MS - 1)).isEmpty();
    succeed(AnnouncePlan.STOCK_RETRY_MS, announce(A));
    assertThat(plan.due(AnnouncePlan.STOCK_RETRY_MS + 3000)).containsExactly(announce(A));
  }

  @Test
  void failingNodesLeaveHalfOfTheSlotsToTheOthers() {
    Set<Node> dead =
        IntStream.range(0, 4).mapToObj(i -> new Node("dead" + i, 1)).collect(Collectors.toSet());
    plan.want(dead, "w", 0);
    for (Call call : plan.due(0)) {
      plan.ended(call, FAILED, 0);
    }
    dead.add(A);
    dead.add(B);
    plan.want(dead, "w", 3000);
    List<Call> calls = plan.due(3000);
    assertThat(calls).hasSize(4).startsWith(announce(A), announce(B));
    plan.ended(announce(A), ACCEPTED, 3001);
    assertThat(plan.due(3001)).isEmpty();
    plan.ended(calls.get(2), FAILED, 3002);
    assertThat(plan.due(3002)).hasSize(1);
  }

  @Test
  void noMoreCallsAreUnderWayThanThereAreSlots() {
    Set<Node> many =
        IntStream.range(0, 50).mapToObj(i -> new Node("n" + i, 1)).collect(Collectors.toSet());
    plan.want(many, "w", 0);
    assertThat(plan.due(0)).hasSize(4);
    assertThat(plan.due(0)).isEmpty();
  }

  @Test
  void anEndWithoutACallIsAnError() {
    assertThatIllegalStateException().isThrownBy(() -> plan.ended(announce(A), ACCEPTED, 0));
  }

  private void succeed(long nowMs, Call... calls) {
    end(ACCEPTED, nowMs, calls);
  }

  private void end(Outcome outcome, long nowMs, Call... calls) {
    assertThat(plan.due(nowMs)).containsExactly(calls);
    for (Call call : calls) {
      plan.ended(call, outcome, nowMs);
    }
  }

  private static Call announce(Node node) {
    return new Call(node, Kind.ANNOUNCE);
  }
}
