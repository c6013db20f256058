/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.scheduler.share.WeightedMaxMin;
import org.missioncontrol.scheduler.share.WeightedMaxMin.Claim;
import org.missioncontrol.shuffle.status.StatusReport;
import org.missioncontrol.shuffle.throttle.ThrottleSnapshot.JobFlows;
import org.missioncontrol.shuffle.throttle.ThrottleSnapshot.TransportUse;

/**
 * Why a job has the flows that it has on a host: what its NodeManager's books say, put through the
 * very function that the NodeManager shares with. Immutable.
 *
 * @param host that it is about
 * @param policy in force there
 * @param wantedWeight what the job asks for under the policy
 * @param weightCap most that it may weigh by the administrator's rules, or null
 * @param weight by the policy
 * @param correction what the weight is multiplied by for now so that bytes follow weights
 * @param demand flows that its tasks hold or wait for
 * @param held flows that it holds
 * @param share flows that it may hold, by the NodeManager's books
 * @param computedShare the same, computed here from the claims
 * @param partByWeight flows by weight alone: budget x weight / weights of all that want flows
 * @param shareWithTwiceTheWeight computed here
 * @param shareIfItWantedAll its share if it wanted the whole budget, computed here
 * @param claims of every job on the host, this one among them, in the order of precedence
 * @param transports what its connections here have, and by which rules
 * @param reasons sentences
 */
record Explanation(
    String host,
    String job,
    @Nullable String user,
    String policy,
    float wantedWeight,
    @Nullable Float weightCap,
    float weight,
    float correction,
    boolean announced,
    int demand,
    int held,
    int share,
    int computedShare,
    double partByWeight,
    int shareWithTwiceTheWeight,
    int shareIfItWantedAll,
    int budget,
    int inUse,
    List<OtherClaim> claims,
    List<TransportUse> transports,
    List<String> reasons) {
  /** Copies the lists. */
  Explanation {
    claims = List.copyOf(claims);
    transports = List.copyOf(transports);
    reasons = List.copyOf(reasons);
  }

  /** One job's claim. Immutable. */
  record OtherClaim(
      String job, @Nullable String user, float weight, int demand, int share, int held) {}

  /** Null if the host's books do not have the job. */
  static @Nullable Explanation of(StatusReport report, String job) {
    int index = report.jobs().stream().map(JobFlows::job).toList().indexOf(job);
    if (index < 0) {
      return null;
    }
    JobFlows asked = report.jobs().get(index);
    List<Claim> claims = report.jobs().stream().map(JobFlows::claim).toList();
    int budget = report.budget();
    double weights =
        claims.stream().filter(claim -> claim.demand() > 0).mapToDouble(Claim::weight).sum();
    return new Explanation(
            report.host(),
            job,
            asked.user(),
            report.sharing().policy(),
            asked.wantedWeight(),
            asked.weightCap(),
            asked.weight(),
            asked.correction(),
            asked.announced(),
            asked.demand(),
            asked.flows().size(),
            asked.share(),
            WeightedMaxMin.shares(budget, claims)[index],
            asked.demand() > 0 ? budget * asked.claim().weight() / weights : 0,
            shareOf(budget, claims, index, new Claim(2 * asked.claim().weight(), asked.demand())),
            shareOf(
                budget,
                claims,
                index,
                new Claim(asked.claim().weight(), Math.max(asked.demand(), budget))),
            budget,
            report.inUse(),
            report.jobs().stream()
                .map(
                    other ->
                        new OtherClaim(
                            other.job(),
                            other.user(),
                            other.weight(),
                            other.demand(),
                            other.share(),
                            other.flows().size()))
                .toList(),
            asked.transports(),
            List.of())
        .withReasons();
  }

  private static int shareOf(int budget, List<Claim> claims, int index, Claim instead) {
    List<Claim> changed = new ArrayList<>(claims);
    changed.set(index, instead);
    return WeightedMaxMin.shares(budget, changed)[index];
  }

  private Explanation withReasons() {
    return new Explanation(
        host,
        job,
        user,
        policy,
        wantedWeight,
        weightCap,
        weight,
        correction,
        announced,
        demand,
        held,
        share,
        computedShare,
        partByWeight,
        shareWithTwiceTheWeight,
        shareIfItWantedAll,
        budget,
        inUse,
        claims,
        transports,
        new Reasons(this).sentences());
  }
}
