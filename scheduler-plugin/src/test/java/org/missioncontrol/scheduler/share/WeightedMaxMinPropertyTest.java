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
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.missioncontrol.scheduler.share.WeightedMaxMin.Claim;

class WeightedMaxMinPropertyTest {
  private static final int CASES = 300;

  /** Claims and budget; the seed is the case, so a failure can be run again. */
  record Case(int seed, List<Claim> claims, int budget) {}

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
  void eachShareIsLessThanOneFlowFromTheFluidOne(Case random) {
    List<Claim> claims = random.claims();
    int budget = random.budget();
    if (budget < claims.size()) {
      return;
    }
    int[] shares = WeightedMaxMin.shares(budget, claims);
    double level = levelByBisection(budget, claims);
    for (int i = 0; i < shares.length; i++) {
      assertThat(Math.abs(shares[i] - fluid(claims.get(i), level))).isLessThan(1 + 1e-6);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theSameInputGivesTheSameOutput(Case random) {
    List<Claim> claims = random.claims();
    int budget = random.budget();
    assertThat(WeightedMaxMin.shares(budget, List.copyOf(claims)))
        .isEqualTo(WeightedMaxMin.shares(budget, claims));
  }

  private static double levelByBisection(int budget, List<Claim> claims) {
    double low = 0;
    double high = 1e9;
    for (int i = 0; i < 200; i++) {
      double middle = (low + high) / 2;
      double sum = claims.stream().mapToDouble(claim -> fluid(claim, middle)).sum();
      if (sum < budget) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  private static double fluid(Claim claim, double level) {
    return Math.min(claim.demand(), Math.max(1, claim.weight() * level));
  }
}
