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
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.missioncontrol.scheduler.share.WeightedMaxMin.Claim;

class WeightedMaxMinPropertyTest {
  @Provide
  Arbitrary<List<Claim>> claims() {
    Arbitrary<Float> even = Arbitraries.of(0.5f, 1f, 1f, 2f, 3f);
    Arbitrary<Float> odd = Arbitraries.floats().between(1e-6f, 1e6f).ofScale(6);
    return Combinators.combine(Arbitraries.oneOf(even, odd), Arbitraries.integers().between(0, 40))
        .as(Claim::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(30);
  }

  @Property
  void theBudgetIsUsedUpButNeverExceeded(
      @ForAll("claims") List<Claim> claims, @ForAll @IntRange(max = 200) int budget) {
    int demand = claims.stream().mapToInt(Claim::demand).sum();
    assertThat(Arrays.stream(WeightedMaxMin.shares(budget, claims)).sum())
        .isEqualTo(Math.min(budget, demand));
  }

  @Property
  void nobodyGetsMoreThanItsDemandAndNobodyStarves(
      @ForAll("claims") List<Claim> claims, @ForAll @IntRange(max = 200) int budget) {
    int[] shares = WeightedMaxMin.shares(budget, claims);
    int turn = 0;
    for (int i = 0; i < shares.length; i++) {
      int least = claims.get(i).demand() > 0 && turn++ < budget ? 1 : 0;
      assertThat(shares[i]).isBetween(least, claims.get(i).demand());
    }
  }

  @Property
  void moreWeightNeverMeansFewerFlows(
      @ForAll("claims") List<Claim> claims,
      @ForAll @IntRange(max = 200) int budget,
      @ForAll @IntRange(max = 29) int which,
      @ForAll @IntRange(min = 11, max = 100) int tenths) {
    int i = which % claims.size();
    Claim claim = claims.get(i);
    List<Claim> raised = new ArrayList<>(claims);
    raised.set(i, new Claim(claim.weight() * tenths / 10, claim.demand()));
    assertThat(WeightedMaxMin.shares(budget, raised)[i])
        .isGreaterThanOrEqualTo(WeightedMaxMin.shares(budget, claims)[i]);
  }

  @Property
  void theHeavierOfTwoWithEqualDemandGetsNoLess(
      @ForAll("claims") List<Claim> claims, @ForAll @IntRange(max = 200) int budget) {
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

  @Property
  void eachShareIsLessThanOneFlowFromTheFluidOne(
      @ForAll("claims") List<Claim> claims, @ForAll @IntRange(min = 31, max = 200) int budget) {
    int[] shares = WeightedMaxMin.shares(budget, claims);
    double level = levelByBisection(budget, claims);
    for (int i = 0; i < shares.length; i++) {
      assertThat(Math.abs(shares[i] - fluid(claims.get(i), level))).isLessThan(1 + 1e-6);
    }
  }

  @Property
  void theSameInputGivesTheSameOutput(
      @ForAll("claims") List<Claim> claims, @ForAll @IntRange(max = 200) int budget) {
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
