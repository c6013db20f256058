/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.missioncontrol.scheduler.share.WeightedMaxMin.Claim;

class WeightedMaxMinPropertyTest {
  private static final int CASES = 300;

  /** Claims and budget; the seed is the case, so a failure can be run again. */
  record Case(int seed, List<Claim> claims, int budget) {
    int[] shares() {
      return WeightedMaxMin.shares(budget, claims);
    }

    boolean enoughForAll() {
      return claims.stream().filter(claim -> claim.demand() > 0).count() <= budget;
    }

    Case with(int i, Claim claim) {
      List<Claim> changed = new ArrayList<>(claims);
      changed.set(i, claim);
      return new Case(seed, changed, budget);
    }
  }

  static Stream<Case> cases() {
    return IntStream.range(0, CASES)
        .mapToObj(
            seed -> {
              Random random = new Random(seed);
              List<Claim> claims =
                  Stream.generate(() -> claim(random)).limit(1 + random.nextInt(30)).toList();
              return new Case(seed, claims, random.nextInt(201));
            });
  }

  private static Claim claim(Random random) {
    float[] even = {0.5f, 1, 1, 2, 3};
    float weight =
        random.nextBoolean()
            ? even[random.nextInt(even.length)]
            : (float) Math.pow(10, random.nextDouble() * 12 - 6);
    return new Claim(weight, random.nextInt(41));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theBudgetIsUsedUpButNeverExceeded(Case random) {
    List<Claim> claims = random.claims();
    int budget = random.budget();
    int demand = claims.stream().mapToInt(Claim::demand).sum();
    assertThat(Arrays.stream(WeightedMaxMin.shares(budget, claims)).sum())
        .isEqualTo(Math.min(budget, demand));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void nobodyGetsMoreThanItsDemandAndNobodyStarves(Case random) {
    List<Claim> claims = random.claims();
    int budget = random.budget();
    int[] shares = WeightedMaxMin.shares(budget, claims);
    int turn = 0;
    for (int i = 0; i < shares.length; i++) {
      int least = claims.get(i).demand() > 0 && turn++ < budget ? 1 : 0;
      assertThat(shares[i]).isBetween(least, claims.get(i).demand());
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void moreWeightNeverMeansFewerFlows(Case random) {
    List<Claim> claims = random.claims();
    int budget = random.budget();
    int i = random.seed() % claims.size();
    Claim claim = claims.get(i);
    List<Claim> raised = new ArrayList<>(claims);
    raised.set(i, new Claim(claim.weight() * (1.1f + random.seed() % 90 / 10f), claim.demand()));
    assertThat(WeightedMaxMin.shares(budget, raised)[i])
        .isGreaterThanOrEqualTo(WeightedMaxMin.shares(budget, claims)[i]);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theHeavierOfTwoWithEqualDemandGetsNoLess(Case random) {
    List<Claim> claims = random.claims();
    int budget = random.budget();
    List<Claim> ample = claims.stream().map(claim -> new Claim(claim.weight(), 50)).toList();
    if (ample.size() > budget) {
      return;
    }
    int[] shares = WeightedMaxMin.shares(budget, ample);
    for (int i = 0; i < shares.length; i++) {
      for (int j = 0; j < shares.length; j++) {
        if (ample.get(i).weight() > ample.get(j).weight()) {
          assertThat(shares[i]).isGreaterThanOrEqualTo(shares[j]);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void noFlowWouldBeBetterPlacedWithAnotherClaim(Case random) {
    List<Claim> claims = random.claims();
    int[] shares = random.shares();
    if (!random.enoughForAll()) {
      return;
    }
    for (int i = 0; i < shares.length; i++) {
      for (int j = 0; j < shares.length; j++) {
        if (shares[i] < claims.get(i).demand() && shares[j] > 1) {
          double gain = claims.get(i).weight() / (shares[i] + 0.5);
          double loss = claims.get(j).weight() / (shares[j] - 0.5);
          assertThat(gain).isLessThanOrEqualTo(loss * (1 + 1e-9));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void oneMoreFlowOfDemandMovesOneFlowAtMost(Case random) {
    for (int i = 0; i < random.claims().size(); i++) {
      Claim claim = random.claims().get(i);
      Case more = random.with(i, new Claim(claim.weight(), claim.demand() + 1));
      if (more.enoughForAll() && claim.demand() > 0) {
        assertOnlyTheOneGains(random, more, i);
        assertThat(moved(random, more)).isLessThanOrEqualTo(1);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aJobThatComesTakesFromOthersAndGivesToNone(Case random) {
    for (int i = 0; i < random.claims().size(); i++) {
      Case before = random.with(i, new Claim(random.claims().get(i).weight(), 0));
      if (random.enoughForAll()) {
        assertOnlyTheOneGains(before, random, i);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void moreWeightOfOneGivesNoOtherMore(Case random) {
    if (random.enoughForAll()) {
      int i = random.seed() % random.claims().size();
      Claim claim = random.claims().get(i);
      float raised = claim.weight() * (1.01f + random.seed() % 40 / 10f);
      assertOnlyTheOneGains(random, random.with(i, new Claim(raised, claim.demand())), i);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theOrderOfTheClaimsMattersAmongEqualsOnly(Case random) {
    if (!random.enoughForAll()) {
      return;
    }
    List<Claim> shuffled = new ArrayList<>(random.claims());
    Collections.shuffle(shuffled, new Random(random.seed()));
    Case other = new Case(random.seed(), shuffled, random.budget());
    assertThat(sharesByClaim(other)).isEqualTo(sharesByClaim(random));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theSameInputGivesTheSameOutput(Case random) {
    List<Claim> claims = random.claims();
    int budget = random.budget();
    assertThat(WeightedMaxMin.shares(budget, List.copyOf(claims)))
        .isEqualTo(WeightedMaxMin.shares(budget, claims));
  }

  private static void assertOnlyTheOneGains(Case before, Case after, int i) {
    int[] less = before.shares();
    int[] more = after.shares();
    for (int j = 0; j < less.length; j++) {
      if (j == i) {
        assertThat(more[j]).isGreaterThanOrEqualTo(less[j]);
      } else {
        assertThat(more[j]).isLessThanOrEqualTo(less[j]);
      }
    }
  }

  /** Flows that claims gained. */
  private static int moved(Case before, Case after) {
    int[] less = before.shares();
    int[] more = after.shares();
    return IntStream.range(0, less.length).map(j -> Math.max(0, more[j] - less[j])).sum();
  }

  /** Equal claims are told apart by nothing but their shares. */
  private static Map<Claim, List<Integer>> sharesByClaim(Case of) {
    int[] shares = of.shares();
    Map<Claim, List<Integer>> byClaim = new HashMap<>();
    for (int i = 0; i < shares.length; i++) {
      byClaim.computeIfAbsent(of.claims().get(i), claim -> new ArrayList<>()).add(shares[i]);
    }
    byClaim.values().forEach(Collections::sort);
    return byClaim;
  }
}
