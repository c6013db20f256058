/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.status;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.server.ServedConnection;
import org.missioncontrol.shuffle.throttle.ThrottleSnapshot;
import org.missioncontrol.transport.HostCapabilities;
import org.missioncontrol.transport.HostTraits;
import org.missioncontrol.transport.PathFacts;

/**
 * What {@code GET /missionControl/v1/status} answers, for operators; no secret in it. Immutable.
 *
 * @param version of Mission Control
 * @param host that the NodeManager runs on
 * @param port of the shuffle
 * @param uptimeMs milliseconds since the service started, by a clock that never jumps
 * @param door where tasks get their flows
 * @param capabilities what the host's kernel can do
 * @param traits what else the host has that transports are chosen by
 * @param sharing how jobs weigh
 * @param budget flows that may be open at once
 * @param inUse flows that are leased
 * @param knownJobs jobs that may shuffle here
 * @param jobs every job with tasks at the door or a descriptor, with its share and flows
 * @param traffic bytes of every job that has shuffled here
 * @param served connections that fetch from here
 * @param paths to map hosts, as leased connections have told of them, of the 1024 looked at last
 * @param counters since the start, by name
 */
public record StatusReport(
    String version,
    String host,
    int port,
    long uptimeMs,
    Door door,
    HostCapabilities capabilities,
    HostTraits traits,
    Sharing sharing,
    int budget,
    int inUse,
    int knownJobs,
    List<ThrottleSnapshot.JobFlows> jobs,
    List<JobTraffic> traffic,
    List<ServedConnection> served,
    List<PathFacts> paths,
    Map<String, Long> counters) {
  /**
   * How jobs weigh. Immutable.
   *
   * @param policy in force
   * @param rulesFile of the administrator, or null if none is configured
   * @param rulesProblem why that file as it is now is not in force, or null
   */
  public record Sharing(String policy, @Nullable String rulesFile, @Nullable String rulesProblem) {}

  /**
   * The Unix socket. Immutable.
   *
   * @param path of the socket, or null
   * @param closedBecause why there is none, or null
   */
  public record Door(@Nullable String path, @Nullable String closedBecause) {}
}
