/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FetchPlanTest {
  private static final MapServer A = new MapServer("a", 13562, "");
  private static final MapServer B = new MapServer("b", 13562, "");
  private static final long PATIENCE = 180_000;

  private long now = 1_000_000;
  private FetchPlan plan = plan(false, 30);

  private FetchPlan plan(boolean recovery, int maps) {
    RetryPolicy policy =
        new RetryPolicy(500, 60_000, recovery, 1000, 30_000, 5, 10, true, PATIENCE);
    return new FetchPlan(policy, maps, 0, now);
  }

  private static MapAttempt map(int number) {
    return new MapAttempt("attempt_1_1_m_" + number + "_0", number);
  }

  private static FlowDemand.Bounds bounds(int flows) {
    return new FlowDemand.Bounds(flows, flows);
  }

  private void know(MapServer server, int from, int to) {
    for (int i = from; i < to; i++) {
      plan.known(server, map(i), now);
    }
  }

  private List<MapAttempt> take(MapServer server) {
    return plan.take(server, 1, 20, now);
  }

  /** Goes to the next change and returns how long that took. */
  private long skip() {
    long next = plan.nextChange(now);
    assertThat(next).isBetween(now + 1, Long.MAX_VALUE - 1);
    long took = next - now;
    now = next;
    return took;
  }

  @Test
  void aMapIsTakenOnceAndTheBatchIsBounded() {
    know(A, 0, 30);
    assertThat(take(A)).hasSize(20);
    assertThat(take(A)).hasSize(10).doesNotContain(map(0));
    assertThat(take(A)).isEmpty();
  }

  @Test
  void whatIsForAnotherToFetchWaitsAndTheNextIsTaken() {
    know(A, 0, 3);
    assertThat(plan.take(A, 3, 20, map -> map.map() == 2, now)).containsExactly(map(2));
    assertThat(take(A)).isEmpty();
    assertThat(skip()).isEqualTo(FetchPlan.CLAIM_INTERVAL);
    assertThat(take(A)).containsExactly(map(0), map(1));
  }

  @Test
  void aCopyIsTakenAlsoFromAHostThatIsBlocked() {
    know(A, 0, 2);
    plan.hostFailed(A, now);
    assertThat(take(A)).isEmpty();
    assertThat(plan.takeCopied(Set.of(map(1).id(), "unknown"), 5))
        .containsExactly(new FetchPlan.Located(A, map(1)));
    assertThat(plan.takeCopied(Set.of(map(1).id()), 5)).as("again").isEmpty();
    assertThat(plan.copied(map(1), now)).isTrue();
    assertThat(plan.finishedMaps()).isEqualTo(1);
    assertThat(plan.failures()).isZero();
  }

  @Test
  void flowsAtOneHostShareItsWork() {
    know(A, 0, 10);
    assertThat(plan.take(A, 5, 20, now)).hasSize(2);
  }

  @Test
  void everyHostGetsAFlowBeforeOneGetsTwo() {
    know(A, 0, 20);
    know(B, 20, 21);
    assertThat(plan.demand(Map.of(), Map.of(), bounds(5), now)).isEqualTo(Map.of(A, 4, B, 1));
    assertThat(plan.demand(Map.of(A, 2), Map.of(A, 2), bounds(5), now))
        .isEqualTo(Map.of(A, 4, B, 1));
    assertThat(plan.demand(Map.of(A, 5), Map.of(), bounds(5), now)).isEqualTo(Map.of(A, 5, B, 0));
  }

  @Test
  void oneHostGetsNoMoreFlowsThanItMayHave() {
    know(A, 0, 20);
    know(B, 20, 40);
    assertThat(plan.demand(Map.of(), Map.of(), new FlowDemand.Bounds(5, 1), now))
        .isEqualTo(Map.of(A, 1, B, 1));
    assertThat(plan.demand(Map.of(A, 1), Map.of(A, 1), new FlowDemand.Bounds(5, 1), now))
        .as("a request beyond the bound is withdrawn")
        .isEqualTo(Map.of(A, 1, B, 1));
    assertThat(plan.demand(Map.of(), Map.of(), new FlowDemand.Bounds(20, 4), now))
        .isEqualTo(Map.of(A, 4, B, 4));
    assertThat(plan.demand(Map.of(), Map.of(), new FlowDemand.Bounds(5, 4), now))
        .as("all together stay within the reducer's bound")
        .isEqualTo(Map.of(A, 3, B, 2));
  }

  @Test
  void aHostWithoutAFlowTakesOverARequestThatWaitsElsewhere() {
    know(A, 0, 20);
    know(B, 20, 40);
    assertThat(plan.demand(Map.of(A, 1), Map.of(A, 4), bounds(5), now))
        .isEqualTo(Map.of(A, 3, B, 2));
  }

  @Test
  void noMoreFlowsThanOutputsAreWanted() {
    know(A, 0, 2);
    assertThat(plan.demand(Map.of(), Map.of(), bounds(5), now)).isEqualTo(Map.of(A, 2));
  }

  @Test
  void preferredHostsGetTheFirstFlows() {
    know(A, 0, 20);
    know(B, 20, 22);
    plan.prefer(B);
    assertThat(plan.demand(Map.of(), Map.of(), bounds(1), now)).isEqualTo(Map.of(A, 0, B, 1));
    assertThat(plan.demand(Map.of(), Map.of(), bounds(2), now))
        .as("others are served too")
        .isEqualTo(Map.of(A, 1, B, 1));
  }

  @Test
  void reducersBeginAtDifferentHosts() {
    FetchPlan second =
        new FetchPlan(
            new RetryPolicy(500, 60_000, false, 1000, 30_000, 5, 10, true, PATIENCE), 2, 1, now);
    second.known(A, map(0), now);
    second.known(B, map(1), now);
    assertThat(second.demand(Map.of(), Map.of(), bounds(1), now))
        .containsEntry(B, 1)
        .containsEntry(A, 0);
  }

  @Test
  void doneWhenEveryMapIsFetchedOrFailedForGood() {
    plan = plan(false, 2);
    know(A, 0, 1);
    take(A);
    assertThat(plan.succeeded(A, map(0), now)).isTrue();
    assertThat(plan.done()).isFalse();
    plan.tipFailed(1);
    assertThat(plan.done()).isTrue();
  }

  @Test
  void aSecondOutputOfTheSameMapIsThrownAway() {
    MapAttempt again = new MapAttempt("attempt_1_1_m_0_1", 0);
    know(A, 0, 1);
    take(A);
    plan.known(B, again, now);
    assertThat(take(B)).as("the map is in flight").isEmpty();
    plan.lost(A, map(0), now);
    skip();
    take(A);
    plan.succeeded(A, map(0), now);
    now += 5000;
    assertThat(take(B)).as("the map is finished").isEmpty();
  }

  @Test
  void aNewAttemptIsFetchedWhenTheOldOneInFlightFails() {
    MapAttempt again = new MapAttempt("attempt_1_1_m_0_1", 0);
    know(A, 0, 1);
    take(A);
    plan.obsolete(map(0));
    plan.known(B, again, now);
    assertThat(take(B)).isEmpty();
    plan.lost(A, map(0), now);
    now += 5000;
    assertThat(take(A)).isEmpty();
    assertThat(take(B)).containsExactly(again);
  }

  @Test
  void anObsoleteOutputIsNotAskedForAgain() {
    know(A, 0, 2);
    plan.obsolete(map(0));
    assertThat(take(A)).containsExactly(map(1));
  }

  @Test
  void afterAResetEverythingIsLearntAnew() {
    know(A, 0, 2);
    plan.obsolete(map(1));
    plan.reset();
    assertThat(take(A)).isEmpty();
    know(A, 0, 2);
    assertThat(take(A)).containsExactly(map(0), map(1));
  }

  @Test
  void aRefusedConnectionCostsMilliseconds() {
    know(A, 0, 1);
    take(A);
    plan.giveBack(A, List.of(map(0)), now);
    plan.hostFailed(A, now);
    assertThat(plan.demand(Map.of(), Map.of(), bounds(5), now)).isEmpty();
    assertThat(skip()).isEqualTo(500);
    assertThat(plan.demand(Map.of(), Map.of(), bounds(5), now)).isEqualTo(Map.of(A, 1));
    assertThat(plan.takeReports()).isEmpty();
    assertThat(plan.failures()).isZero();
  }

  @Test
  void penaltiesGrowToTheLimitAndASuccessEndsThem() {
    know(A, 0, 2);
    List<Long> waits = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      plan.hostFailed(A, now);
      waits.add(skip());
    }
    assertThat(waits).startsWith(500L, 750L, 1125L, 1687L, 2531L).endsWith(60_000L);
    take(A);
    plan.succeeded(A, map(0), now);
    plan.giveBack(A, List.of(map(1)), now);
    plan.hostFailed(A, now);
    assertThat(skip()).isEqualTo(500);
    assertThat(plan.penalties()).isEqualTo(31);
  }

  @Test
  void flowsThatFailTogetherCountOnce() {
    know(A, 0, 2);
    plan.hostFailed(A, now);
    plan.hostFailed(A, now + 1);
    assertThat(plan.penalties()).isEqualTo(1);
    assertThat(skip()).isEqualTo(500);
  }

  @Test
  void withoutRecoveryAGoneHostIsReportedThreeTimesWithinTenSeconds() {
    know(A, 0, 3);
    long start = now;
    int reported = 0;
    while (reported < 9) {
      plan.hostFailed(A, now);
      reported += plan.takeReports().size();
      skip();
    }
    assertThat(now - start).isBetween(5_000L, 10_000L);
  }

  @Test
  void withRecoveryAHostMayReturnWithinItsTimeUnreported() {
    plan = plan(true, 30);
    know(A, 0, 3);
    long start = now;
    while (now - start < 30_000) {
      plan.hostFailed(A, now);
      assertThat(plan.takeReports()).isEmpty();
      assertThat(skip()).isLessThanOrEqualTo(1000);
    }
    assertThat(plan.failures()).isZero();
    plan.hostFailed(A, now);
    assertThat(plan.takeReports()).containsExactly(map(0), map(1), map(2));
    assertThat(skip()).isEqualTo(1000);
  }

  @Test
  void anOutputRefusedByNameIsReportedEachSecondAndOthersGoOn() {
    know(A, 0, 3);
    take(A);
    plan.refused(A, map(1), now);
    plan.succeeded(A, map(0), now);
    plan.succeeded(A, map(2), now);
    assertThat(plan.takeReports()).containsExactly(map(1));
    for (int i = 0; i < 3; i++) {
      assertThat(skip()).isEqualTo(1000);
      assertThat(take(A)).containsExactly(map(1));
      plan.refused(A, map(1), now);
      assertThat(plan.takeReports()).containsExactly(map(1));
    }
    assertThat(plan.penalties()).isZero();
  }

  @Test
  void suspectsAreAskedForOneByOneAfterTheOthers() {
    know(A, 0, 2);
    List<MapAttempt> batch = take(A);
    know(A, 2, 4);
    plan.suspect(A, batch, now);
    assertThat(take(A)).containsExactly(map(2), map(3));
    assertThat(take(A)).containsExactly(map(0));
    assertThat(take(A)).containsExactly(map(1));
  }

  @Test
  void aBrokenConnectionIsForgivenForTheRecoveryTimeOnly() {
    plan = plan(true, 30);
    know(A, 0, 1);
    long start = now;
    while (now - start < 30_000) {
      take(A);
      plan.lost(A, map(0), now);
      assertThat(plan.takeReports()).isEmpty();
      skip();
    }
    take(A);
    plan.lost(A, map(0), now);
    assertThat(plan.takeReports()).containsExactly(map(0));
  }

  @Test
  void withoutRecoveryABrokenConnectionIsAReadErrorAtOnce() {
    know(A, 0, 1);
    take(A);
    plan.lost(A, map(0), now);
    assertThat(plan.takeReports()).containsExactly(map(0));
  }

  @Test
  void badDataIsReportedAtOnceUnlessTheKeySaysOtherwise() {
    know(A, 0, 1);
    take(A);
    plan.unreadable(A, map(0), now);
    assertThat(plan.takeReports()).containsExactly(map(0));

    plan =
        new FetchPlan(
            new RetryPolicy(500, 60_000, false, 1000, 30_000, 5, 3, false, PATIENCE), 30, 0, now);
    know(A, 0, 1);
    List<Integer> reports = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      take(A);
      plan.unreadable(A, map(0), now);
      reports.add(plan.takeReports().size());
      skip();
    }
    assertThat(reports).as("every third failure").containsExactly(0, 0, 1, 0, 0, 1);
  }

  @Test
  void aBusyHostIsLeftAloneWithoutAFailure() {
    know(A, 0, 1);
    take(A);
    plan.giveBack(A, List.of(map(0)), now);
    plan.pause(A, 1000, now);
    assertThat(skip()).isEqualTo(1000);
    assertThat(take(A)).containsExactly(map(0));
    assertThat(plan.penalties() + plan.failures()).isZero();
  }

  @Test
  void thirtyFailuresOfOneMapEndTheReducer() {
    know(A, 0, 1);
    long start = now;
    for (int i = 0; i < 29; i++) {
      take(A);
      plan.refused(A, map(0), now);
      if (now - start < PATIENCE) {
        assertThat(plan.hopeless()).isNull();
      }
      skip();
    }
    take(A);
    plan.refused(A, map(0), now);
    assertThat(plan.hopeless()).contains("30 failures downloading " + map(0));
    assertThat(now - start).as("not within seconds").isGreaterThan(300_000);
  }

  @Test
  void aReducerThatFetchesNothingGivesUpButNotBeforeItsPatience() {
    know(A, 0, 30);
    long start = now;
    while (plan.hopeless() == null) {
      plan.hostFailed(A, now);
      skip();
    }
    assertThat(now - start).isBetween(PATIENCE - 60_000, PATIENCE + 120_000);
    assertThat(plan.hopeless()).contains("Exceeded MAX_FAILED_UNIQUE_FETCHES");
  }
}
