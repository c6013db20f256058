/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.missioncontrol.scheduler.am.Call.Kind;
import org.missioncontrol.scheduler.control.HostAnswer;
import org.missioncontrol.scheduler.control.HostView;

class AnnouncePlanTest {
  private static final Node A = new Node("a", 1);
  private static final Node B = new Node("b", 1);
  private static final Outcome ACCEPTED =
      new Outcome.Accepted(
          new HostAnswer(
              2, "state", new HostView(2, "fair", 20, 0, List.of(), List.of()), null, null));
  private static final Outcome FAILED = new Outcome.Failed("kind", "refused");

  private final AnnouncePlan plan = new AnnouncePlan(5000, 4, 2000);

  @Test
  void aNodeIsToldAtOnceAndThenAPollWaitsThereAgainAndAgain() {
    plan.want(Set.of(A), "w1", 0);
    end(ACCEPTED, 0, 3, announce(A));
    Call poll = start(3, poll(A));
    assertThat(plan.due(4000)).isEmpty();
    assertThat(plan.ended(poll, ACCEPTED, 5003)).isTrue();
    start(5003, poll(A));
  }

  @Test
  void theMoreNodesTheLongerAPollWaits() {
    assertThat(plan.waitMs()).isEqualTo(5000);
    plan.want(nodes(1_000), "w", 0);
    assertThat(plan.waitMs()).isEqualTo(5000);
    plan.want(nodes(10_000), "w", 0);
    assertThat(plan.waitMs()).isEqualTo(30_000);
    plan.want(nodes(100_000), "w", 0);
    assertThat(plan.waitMs()).isEqualTo(60_000);
  }

  private static Set<Node> nodes(int many) {
    return IntStream.range(0, many).mapToObj(i -> new Node("n" + i, 1)).collect(Collectors.toSet());
  }

  @Test
  void newsOfSharesMayRestTheLongerTheMoreNodesThereAre() {
    assertThat(plan.restMs()).isZero();
    plan.want(nodes(10), "w", 0);
    assertThat(plan.restMs()).isEqualTo(30);
    plan.want(nodes(10_000), "w", 0);
    assertThat(plan.restMs()).isEqualTo(plan.waitMs());
  }

  @Test
  void aChangeOfMeaningIsToldByOneMessageThatWaitsInThePlaceOfThePoll() {
    Call poll = waiting("w1", 0);
    plan.want(Set.of(A), "w2", 10);
    Call news = start(10, update(A));
    assertThat(plan.isQuiet()).isFalse();
    assertThat(plan.due(11)).isEmpty();
    assertThat(plan.ended(poll, ACCEPTED, 12)).as("the confirmation is of interest").isTrue();
    assertThat(plan.due(20)).isEmpty();
    assertThat(plan.ended(news, ACCEPTED, 5010)).isTrue();
    start(5010, poll(A));
  }

  @Test
  void aChangeDuringAnUpdateIsToldOnceItIsConfirmed() {
    Call poll = waiting("w1", 0);
    plan.want(Set.of(A), "w2", 10);
    Call second = start(10, update(A));
    plan.want(Set.of(A), "w3", 20);
    assertThat(plan.due(20)).isEmpty();
    plan.ended(poll, ACCEPTED, 30);
    Call third = start(30, update(A));
    assertThat(plan.ended(second, ACCEPTED, 31)).isTrue();
    assertThat(plan.ended(third, ACCEPTED, 40)).isTrue();
  }

  @Test
  void anUpdateThatIsAnsweredItselfNeedsNoConfirmation() {
    Call poll = waiting("w1", 0);
    plan.want(Set.of(A), "w2", 100);
    plan.ended(start(100, update(A)), ACCEPTED, 110);
    assertThat(plan.ended(poll, ACCEPTED, 111)).as("of interest").isFalse();
    start(150, poll(A));
  }

  @Test
  void anUpdateWhoseOlderPollIsCutIsFollowedByAnAnnouncement() {
    Call poll = waiting("w1", 0);
    plan.want(Set.of(A), "w2", 10);
    Call news = start(10, update(A));
    plan.ended(poll, FAILED, 20);
    Call again = start(20, announce(A));
    assertThat(plan.ended(news, ACCEPTED, 25)).as("of interest").isFalse();
    plan.ended(again, ACCEPTED, 30);
    start(70, poll(A));
  }

  @Test
  void anUpdateThatIsNotConfirmedInTimeIsAFailure() {
    Call poll = waiting("w1", 0);
    plan.want(Set.of(A), "w2", 10);
    Call news = start(10, update(A));
    assertThat(plan.untilDue(10)).isEqualTo(2000);
    assertThat(plan.due(2009)).isEmpty();
    assertThat(plan.due(2010)).isEmpty();
    assertThat(plan.ended(poll, ACCEPTED, 2020)).isFalse();
    assertThat(plan.ended(news, ACCEPTED, 2020)).isFalse();
    start(2010 + AnnouncePlan.FIRST_BACK_OFF_MS, announce(A));
  }

  private Call waiting(String meaning, long nowMs) {
    plan.want(Set.of(A), meaning, nowMs);
    end(ACCEPTED, nowMs, nowMs, announce(A));
    return start(nowMs, poll(A));
  }

  @Test
  void aChangeDuringAnAnnouncementIsToldAfterIt() {
    plan.want(Set.of(A), "w1", 0);
    Call call = start(0, announce(A));
    plan.want(Set.of(A), "w2", 10);
    assertThat(plan.due(10)).isEmpty();
    plan.ended(call, ACCEPTED, 20);
    start(20, announce(A));
  }

  @Test
  void aPollThatIsCutIsFollowedByAnAnnouncementAtOnce() {
    plan.want(Set.of(A), "w", 0);
    end(ACCEPTED, 0, 0, announce(A));
    plan.ended(start(0, poll(A)), FAILED, 700);
    start(700, announce(A));
  }

  @Test
  void aRestartingNodeIsAskedSoOftenThatItKnowsWithinASecondOfItsReturn() {
    plan.want(Set.of(A), "w", 0);
    long now = 0;
    for (long pause : new long[] {100, 200, 400, 800, 800, 800}) {
      plan.ended(start(now, announce(A)), FAILED, now);
      plan.want(Set.of(A), "changed at " + now, now);
      assertThat(plan.due(now + pause - 1)).isEmpty();
      assertThat(plan.untilDue(now)).isEqualTo(pause);
      now += pause;
    }
    while (now < AnnouncePlan.RESTART_MS) {
      plan.ended(start(now, announce(A)), FAILED, now);
      now += 800;
    }
    end(ACCEPTED, now, now, announce(A));
    start(now, poll(A));
  }

  @Test
  void aNodeThatStaysAwayIsAskedAtDoublingPausesUpToAMinute() {
    plan.want(Set.of(A), "w", 0);
    plan.ended(start(0, announce(A)), FAILED, 0);
    long now = AnnouncePlan.RESTART_MS;
    for (long pause : new long[] {1600, 3200, 6400, 12_800, 25_600, 51_200, 60_000, 60_000}) {
      plan.ended(start(now, announce(A)), FAILED, now);
      assertThat(plan.due(now + pause - 1)).isEmpty();
      now += pause;
    }
  }

  @Test
  void aNodeThatAnswersPollsAtOnceIsNotAskedWithoutPause() {
    plan.want(Set.of(A), "w", 0);
    end(ACCEPTED, 0, 0, announce(A));
    plan.ended(start(0, poll(A)), ACCEPTED, 1);
    assertThat(plan.due(49)).isEmpty();
    start(50, poll(A));
  }

  @Test
  void aNodeWithoutPlaceForPollsIsToldEachInterval() {
    plan.want(Set.of(A), "w", 0);
    end(ACCEPTED, 0, 0, announce(A));
    plan.ended(start(0, poll(A)), new Outcome.Busy(), 1);
    assertThat(plan.due(5000)).isEmpty();
    start(5001, announce(A));
  }

  @Test
  void aNodeWithoutReducersIsToldToForgetAlsoWhileAPollWaitsThere() {
    plan.want(Set.of(A, B), "w", 0);
    List<Call> calls = plan.due(0);
    calls.forEach(call -> plan.ended(call, ACCEPTED, 0));
    assertThat(plan.due(0)).hasSize(2);
    plan.want(Set.of(B), "w", 100);
    assertThat(plan.isQuiet()).isFalse();
    end(ACCEPTED, 100, 100, new Call(A, Kind.WITHDRAW, 0));
    plan.want(Set.of(B), "w", 200);
    assertThat(plan.due(200)).isEmpty();
    assertThat(plan.remembered()).isEqualTo(1);
    assertThat(plan.mayKnow()).containsExactly(B);
  }

  @Test
  void aNodeThatWasNeverReachedIsNotToldToForget() {
    plan.want(Set.of(A), "w", 0);
    end(FAILED, 0, 0, announce(A));
    plan.want(Set.of(), "w", 100);
    assertThat(plan.due(100)).isEmpty();
    assertThat(plan.isQuiet()).isTrue();
  }

  @Test
  void aNodeWhoseReducersComeBackWhileItForgetsIsToldAgain() {
    plan.want(Set.of(A), "w", 0);
    end(ACCEPTED, 0, 0, announce(A));
    plan.want(Set.of(), "w", 100);
    Call withdrawal = start(100, new Call(A, Kind.WITHDRAW, 0));
    plan.want(Set.of(A), "w", 110);
    plan.ended(withdrawal, ACCEPTED, 120);
    start(120, announce(A));
  }

  @Test
  void theBackOffSurvivesThatTheReducersGoAndComeBack() {
    plan.want(Set.of(A), "w", 0);
    end(FAILED, 0, 0, announce(A));
    plan.want(Set.of(), "w", 10);
    plan.want(Set.of(A), "w", 20);
    assertThat(plan.due(99)).isEmpty();
    start(100, announce(A));
  }

  @Test
  void aStockNodeIsAskedAgainRarely() {
    plan.want(Set.of(A), "w", 0);
    end(new Outcome.Stock(405), 0, 0, announce(A));
    plan.want(Set.of(A), "changed", 100);
    assertThat(plan.due(AnnouncePlan.STOCK_RETRY_MS - 1)).isEmpty();
    end(ACCEPTED, AnnouncePlan.STOCK_RETRY_MS, AnnouncePlan.STOCK_RETRY_MS, announce(A));
    start(AnnouncePlan.STOCK_RETRY_MS, poll(A));
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
    assertThat(calls).extracting(Call::node).hasSize(4).startsWith(A, B);
    plan.ended(calls.get(0), ACCEPTED, 3001);
    assertThat(plan.due(3001)).extracting(Call::kind).containsExactly(Kind.POLL);
    plan.ended(calls.get(2), FAILED, 3002);
    assertThat(plan.due(3002)).hasSize(1);
  }

  @Test
  void pollsNeedNoSlotAndAnnouncementsDo() {
    Set<Node> many =
        IntStream.range(0, 50).mapToObj(i -> new Node("n" + i, 1)).collect(Collectors.toSet());
    plan.want(many, "w", 0);
    int polls = 0;
    List<Call> calls = plan.due(0);
    while (!calls.isEmpty()) {
      assertThat(calls).filteredOn(call -> call.kind() == Kind.ANNOUNCE).hasSizeBetween(0, 4);
      for (Call call : calls) {
        if (call.kind() == Kind.POLL) {
          polls++;
        } else {
          plan.ended(call, ACCEPTED, 0);
        }
      }
      calls = plan.due(0);
    }
    assertThat(polls).isEqualTo(50);
  }

  @Test
  void aThousandIdleNodesAreSentOneMessageEachInFiveSeconds() {
    Set<Node> nodes =
        IntStream.range(0, 1000).mapToObj(i -> new Node("n" + i, 1)).collect(Collectors.toSet());
    plan.want(nodes, "w", 0);
    record Ending(Call call, long atMs) {}
    PriorityQueue<Ending> endings = new PriorityQueue<>(Comparator.comparingLong(Ending::atMs));
    long sent = 0;
    long hourMs = 3_600_000;
    for (long now = 0; now < hourMs; now = endings.element().atMs()) {
      while (!endings.isEmpty() && endings.element().atMs() <= now) {
        plan.ended(endings.remove().call(), ACCEPTED, now);
      }
      for (Call call : plan.due(now)) {
        sent++;
        endings.add(new Ending(call, now + (call.kind() == Kind.POLL ? 5000 : 1)));
      }
    }
    assertThat(sent).isBetween(700_000L, 1000 * (hourMs / 5000 + 2));
  }

  @Test
  void anEndWithoutACallIsAnError() {
    assertThatIllegalStateException().isThrownBy(() -> plan.ended(announce(A), ACCEPTED, 0));
  }

  private Call start(long nowMs, Call like) {
    List<Call> due = plan.due(nowMs);
    assertThat(due).hasSize(1);
    assertThat(due.get(0).node()).isEqualTo(like.node());
    assertThat(due.get(0).kind()).isEqualTo(like.kind());
    return due.get(0);
  }

  private void end(Outcome outcome, long startMs, long endMs, Call like) {
    plan.ended(start(startMs, like), outcome, endMs);
  }

  private static Call announce(Node node) {
    return new Call(node, Kind.ANNOUNCE, 0);
  }

  private static Call update(Node node) {
    return new Call(node, Kind.UPDATE, 0);
  }

  private static Call poll(Node node) {
    return new Call(node, Kind.POLL, 0);
  }
}
