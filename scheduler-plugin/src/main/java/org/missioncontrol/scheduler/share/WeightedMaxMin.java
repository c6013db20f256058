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
import java.util.PriorityQueue;
import java.util.stream.DoubleStream;

/**
 * Weighted max-min fairness over demand, in whole flows: the sharing rule between jobs on a host.
 *
 * <p>Flows are handed out one by one, each to the claim with the greatest {@code weight / (flows +
 * 1/2)} of those below their demand, after each has got one. In the limit of many flows that is
 * weighted max-min fairness (Bertsekas and Gallager, <i>Data Networks</i>, section 6.5.2; weights
 * realised as numbers of connections after Chowdhury et al., <i>Managing Data Transfers in Computer
 * Clusters with Orchestra</i>, SIGCOMM 2011, which the Mission Control thesis takes over); in whole
 * flows it is the divisor method of Webster and Sainte-Lagu&euml; (Balinski and Young, <i>Fair
 * Representation</i>). Two jobs of weights 2 and 1 get 7 and 3 of 10 flows, as in the thesis'
 * table.
 *
 * <p>Holds for every input: the sum is the lesser of budget and total demand (work-conserving);
 * nobody gets more than its demand; whoever has demand gets at least one flow if there are enough
 * for all such claims, else the first of them in order get one each. While there are enough: no
 * flow would be better placed with another claim; more weight or demand of one claim never means
 * fewer flows for it nor more for another, and one flow more of demand moves one flow at most; the
 * order of the claims matters among equals only. Time: O(n log n). Immutable.
 */
public final class WeightedMaxMin {
  /** Far above the rounding error of a sum of doubles, far below a flow. */
  private static final double SLACK = 1e-11;

  private static final Comparator<Bid> HIGHEST_BID_FIRST =
      Comparator.<Bid>comparingDouble(bid -> -bid.height())
          .thenComparingDouble(bid -> -bid.claim().weight())
          .thenComparingInt(bid -> -bid.claim().demand())
          .thenComparingInt(Bid::index);

  private WeightedMaxMin() {}

  private record Bid(double height, Claim claim, int index) {}

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
    int left = budget;
    for (int i = 0; i < claims.length; i++) {
      // INVARIANT: a hair too few rather than one too many; the rest is handed out one by one.
      double rounded = Math.floor(claims[i].weight() * level * (1 - SLACK) + 0.5);
      shares[i] = (int) Math.min(claims[i].demand(), Math.max(1, rounded));
      left -= shares[i];
    }
    handOut(left, claims, shares);
    return shares;
  }

  private static void handOut(int left, Claim[] claims, int[] shares) {
    PriorityQueue<Bid> bids = new PriorityQueue<>(claims.length, HIGHEST_BID_FIRST);
    for (int i = 0; i < claims.length; i++) {
      bid(i, claims, shares, bids);
    }
    for (int remaining = left; remaining > 0; remaining--) {
      int next = bids.remove().index();
      shares[next]++;
      bid(next, claims, shares, bids);
    }
  }

  private static void bid(int i, Claim[] claims, int[] shares, PriorityQueue<Bid> bids) {
    if (shares[i] < claims[i].demand()) {
      bids.add(new Bid(claims[i].weight() / (shares[i] + 0.5), claims[i], i));
    }
  }

  /**
   * The level at which the curves that bound the rounded shares from above sum to the budget. The
   * sum grows with the level, in straight lines between the levels where a claim leaves its one
   * flow or reaches its demand.
   */
  private static double level(int budget, Claim[] claims) {
    double[] bends =
        Arrays.stream(claims)
            .flatMapToDouble(claim -> DoubleStream.of(lowerBend(claim), upperBend(claim)))
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
    double fixed = 0;
    double growing = 0;
    for (Claim claim : claims) {
      if (bend < lowerBend(claim)) {
        fixed++;
      } else if (bend >= upperBend(claim)) {
        fixed += claim.demand();
      } else {
        fixed += 0.5;
        growing += claim.weight();
      }
    }
    return growing > 0 ? Math.max(bend, (budget - fixed) / growing) : bend;
  }

  private static double sum(Claim[] claims, double level) {
    double sum = 0;
    for (Claim claim : claims) {
      sum += Math.min(claim.demand(), Math.max(1, claim.weight() * level + 0.5));
    }
    return sum;
  }

  private static double lowerBend(Claim claim) {
    return 0.5 / claim.weight();
  }

  private static double upperBend(Claim claim) {
    return (claim.demand() - 0.5) / claim.weight();
  }
}
