/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.share;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Weighted max-min fairness over demand, in whole flows: the sharing rule between jobs on a host.
 *
 * <p>The fluid shares are {@code x(i) = clamp(weight(i) * level, 1, demand(i))} with the one level
 * at which they sum to the budget (max-min fairness after Bertsekas and Gallager, <i>Data
 * Networks</i>, section 6.5.2; weights realised as numbers of connections after Chowdhury et al.,
 * <i>Managing Data Transfers in Computer Clusters with Orchestra</i>, SIGCOMM 2011, which the
 * Mission Control thesis takes over). Whole flows follow by the largest remainder, so each share is
 * less than one flow away from its fluid share. Two jobs of weights 2 and 1 get 7 and 3 of 10
 * flows, as in the thesis' table.
 *
 * <p>Holds for every input: the sum is the lesser of budget and total demand (work-conserving);
 * nobody gets more than its demand; whoever has demand gets at least one flow if there are enough
 * for all such claims, else the first of them in order get one each; more weight never means fewer
 * flows; the same input gives the same output. Time: O(n log n). Immutable.
 */
public final class WeightedMaxMin {
  /** Far above the rounding error of a sum of doubles, far below a flow. */
  private static final double SLACK = 1e-11;

  private WeightedMaxMin() {}

  /**
   * What one transfer wants of a host's flows. Immutable.
   *
   * @param weight share relative to the other claims, positive and finite, without unit
   * @param demand flows that it could use now, at least 0
   */
  public record Claim(float weight, int demand) {
    /** Refuses what no share can be computed from. */
    public Claim {
      if (!(weight > 0) || Float.isInfinite(weight)) {
        throw new IllegalArgumentException("weight is not a positive number: " + weight);
      }
      if (demand < 0) {
        throw new IllegalArgumentException("demand < 0: " + demand);
      }
    }
  }

  /**
   * The flows of each claim, in the order of the claims. That order is the precedence where claims
   * are equal and where flows are fewer than claims: who turns the list gives each its turn.
   */
  public static int[] shares(int budget, List<Claim> claims) {
    if (budget < 0) {
      throw new IllegalArgumentException("budget < 0: " + budget);
    }
    Claim[] wanting = claims.stream().filter(claim -> claim.demand() > 0).toArray(Claim[]::new);
    int[] granted = sharesOfWanting(budget, wanting);
    int[] shares = new int[claims.size()];
    int next = 0;
    int i = 0;
    for (Claim claim : claims) {
      shares[i++] = claim.demand() > 0 ? granted[next++] : 0;
    }
    return shares;
  }

  private static int[] sharesOfWanting(int budget, Claim[] claims) {
    int[] shares = new int[claims.length];
    if (claims.length >= budget) {
      Arrays.fill(shares, 0, budget, 1);
      return shares;
    }
    long total = Arrays.stream(claims).mapToLong(Claim::demand).sum();
    if (total <= budget) {
      Arrays.setAll(shares, i -> claims[i].demand());
      return shares;
    }
    double level = level(budget, claims);
    double[] remainders = new double[claims.length];
    int left = budget;
    for (int i = 0; i < claims.length; i++) {
      double fluid = fluid(claims[i], level);
      boolean whole = fluid == 1 || fluid == claims[i].demand();
      // INVARIANT: rounded a hair down, so that the sum never exceeds the budget.
      shares[i] = whole ? (int) fluid : Math.max(1, (int) (fluid * (1 - SLACK)));
      remainders[i] = fluid - shares[i];
      left -= shares[i];
    }
    handOut(left, claims, shares, remainders);
    return shares;
  }

  private static void handOut(int left, Claim[] claims, int[] shares, double[] remainders) {
    int[] byRemainder =
        IntStream.range(0, claims.length)
            .boxed()
            .sorted(Comparator.<Integer>comparingDouble(i -> -remainders[i]))
            .mapToInt(Integer::intValue)
            .toArray();
    int remaining = left;
    while (remaining > 0) {
      for (int i : byRemainder) {
        if (remaining > 0 && shares[i] < claims[i].demand()) {
          shares[i]++;
          remaining--;
        }
      }
    }
  }

  /**
   * The level at which the fluid shares sum to the budget. The sum grows with the level, in
   * straight lines between the levels where a claim leaves its one flow or reaches its demand.
   */
  private static double level(int budget, Claim[] claims) {
    double[] bends =
        Arrays.stream(claims)
            .flatMapToDouble(
                claim ->
                    DoubleStream.of(
                        1 / (double) claim.weight(), claim.demand() / (double) claim.weight()))
            .sorted()
            .toArray();
    int below = 0;
    int above = bends.length;
    while (above - below > 1) {
      int middle = (below + above) >>> 1;
      if (sum(claims, bends[middle]) <= budget) {
        below = middle;
      } else {
        above = middle;
      }
    }
    return levelFrom(bends[below], budget, claims);
  }

  /** Extends the straight line that begins at {@code bend}. */
  private static double levelFrom(double bend, int budget, Claim[] claims) {
    long fixed = 0;
    double growing = 0;
    for (Claim claim : claims) {
      double weight = claim.weight();
      if (bend < 1 / weight) {
        fixed++;
      } else if (bend >= claim.demand() / weight) {
        fixed += claim.demand();
      } else {
        growing += weight;
      }
    }
    return growing > 0 ? Math.max(bend, (budget - fixed) / growing) : bend;
  }

  private static double sum(Claim[] claims, double level) {
    double sum = 0;
    for (Claim claim : claims) {
      sum += fluid(claim, level);
    }
    return sum;
  }

  private static double fluid(Claim claim, double level) {
    return Math.min(claim.demand(), Math.max(1, claim.weight() * level));
  }
}
