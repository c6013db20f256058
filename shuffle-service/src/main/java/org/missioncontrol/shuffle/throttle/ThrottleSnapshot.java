/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.scheduler.share.WeightedMaxMin.Claim;
import org.missioncontrol.transport.SocketFacts;
import org.missioncontrol.transport.TransportDecision;

/**
 * The throttle controller's books at one moment, for status, metrics and host view. Immutable.
 *
 * @param policy name of the share policy in force
 * @param budget flows that may be open at once
 * @param inUse flows that are leased
 * @param jobs every job with tasks at the door or a descriptor
 */
public record ThrottleSnapshot(String policy, int budget, int inUse, List<JobFlows> jobs) {
  /** Copies the list. */
  public ThrottleSnapshot {
    jobs = List.copyOf(jobs);
  }

  /**
   * One job. Immutable.
   *
   * @param wantedWeight what the job asks for, under the policy in force; 1 unless announced
   * @param weightCap most that it may ask for by the administrator's rules, or null
   * @param weight by the policy
   * @param correction what the weight is multiplied by for now so that bytes follow weights; 1
   *     where flows do
   * @param announced whether a descriptor of its ApplicationMaster is in force
   * @param transferClass shuffle or broadcast, as announced; null while nothing is
   * @param demand flows that its tasks hold or wait for
   * @param share flows that it may hold
   * @param transports what its connections have, by the latest choice for each map host; before the
   *     first connection, what would be chosen for a path that nothing is known of
   */
  public record JobFlows(
      String job,
      @Nullable String user,
      float wantedWeight,
      @Nullable Float weightCap,
      float weight,
      float correction,
      boolean announced,
      @Nullable String transferClass,
      int demand,
      int share,
      List<LeasedFlow> flows,
      List<TransportUse> transports) {
    /** Copies the lists. */
    public JobFlows {
      transports = List.copyOf(transports);
      flows = List.copyOf(flows);
    }

    /** What its share is computed from. */
    public Claim claim() {
      return new Claim(weight * correction, demand);
    }
  }

  /**
   * One choice of a transport. Immutable.
   *
   * @param mapHosts some of those that it was made for; none before the first connection
   * @param hosts how many those are, of the latest few hundred
   */
  public record TransportUse(TransportDecision decision, List<String> mapHosts, int hosts) {
    /** Copies the list. */
    public TransportUse {
      mapHosts = List.copyOf(mapHosts);
    }
  }

  /**
   * One leased connection. Immutable.
   *
   * @param task attempt that holds it
   * @param peer host:port of the map host
   * @param transport that was asked
   * @param congestionControl read back from the kernel now
   * @param subflows TCP connections that carry it now if it is an MPTCP connection, else 0
   * @param refusal why the asked transport is not used, or null
   * @param ageMs milliseconds since it was granted
   * @param rule that chose the transport, or that it was asked for
   * @param kernel what the kernel tells of it now, or null
   */
  public record LeasedFlow(
      long id,
      String task,
      String peer,
      String transport,
      String congestionControl,
      int subflows,
      @Nullable String refusal,
      long ageMs,
      String rule,
      @Nullable SocketFacts kernel) {}
}
