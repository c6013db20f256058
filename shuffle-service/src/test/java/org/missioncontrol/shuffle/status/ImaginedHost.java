/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.status;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.server.ServedConnection;
import org.missioncontrol.shuffle.throttle.ThrottleSnapshot.JobFlows;
import org.missioncontrol.shuffle.throttle.ThrottleSnapshot.LeasedFlow;
import org.missioncontrol.transport.HostCapabilities;
import org.missioncontrol.transport.HostTraits;
import org.missioncontrol.transport.MptcpLimits;
import org.missioncontrol.transport.PathFacts;
import org.missioncontrol.transport.SocketFacts;

/**
 * A host with three jobs. Each look finds it ten seconds later, with more bytes moved; for tests.
 */
final class ImaginedHost implements Supplier<@Nullable StatusReport> {
  static final String FIRST = "job_1764547200000_0041";
  static final String SECOND = "job_1764547200000_0042";
  static final String THIRD = "job_1764547200000_0043";

  volatile String user = "alice";
  private long uptimeMs = 60_000;
  private long first = 2_000_000_000;
  private long second = 700_000_000;

  @Override
  public synchronized StatusReport get() {
    uptimeMs += 10_000;
    double wave = 1 + 0.2 * Math.sin(uptimeMs / 17_000.0);
    first += (long) (240_000_000 * wave);
    second += (long) (110_000_000 / wave);
    return new StatusReport(
        "0.1.0",
        "node7",
        13562,
        uptimeMs,
        new StatusReport.Door("/data/1/yarn/nm-local-dir/.mission-control/door.sock", null),
        new HostCapabilities(true, "cubic", List.of("cubic", "reno", "bbr")),
        new HostTraits(
            List.of("bbr"),
            2,
            List.of("eth0", "eth1"),
            true,
            new MptcpLimits(2, 2, 0, 1),
            "SunJCE AES-GCM"),
        new StatusReport.Sharing("fair", null, null),
        10,
        9,
        4,
        List.of(
            job(FIRST, user, 2, 8, 6, 6, "reno"),
            job(SECOND, "bob", 1, 5, 3, 3, "default"),
            job(THIRD, "carol", 1, 1, 1, 0, "bbr")),
        List.of(
            new JobTraffic(FIRST, user, uptimeMs * 3_000, first),
            new JobTraffic(SECOND, "bob", 0, second),
            new JobTraffic(THIRD, "carol", uptimeMs * 9_000, 0)),
        List.of(
            new ServedConnection(
                FIRST, "10.0.0.8:40112", "reno", "reno", 0, 4_000_000, true, null, null),
            new ServedConnection(
                FIRST, "10.0.0.9:40960", "reno", "reno", 0, 9_000_000, true, null, null)),
        List.of(new PathFacts("node8", 3, true, 99, true, 2, 400, 2)),
        Map.of("OutputsSent", 5_120L, "ConnectionsOpened", 77L, "DoorLeasesGranted", 1_204L));
  }

  private static JobFlows job(
      String job, String user, float weight, int demand, int share, int held, String transport) {
    return new JobFlows(
        job,
        user,
        weight,
        null,
        weight,
        1,
        true,
        "shuffle",
        demand,
        share,
        IntStream.range(0, held)
            .mapToObj(
                i ->
                    new LeasedFlow(
                        i,
                        "attempt_1764547200000_0041_r_00000" + i + "_0",
                        "node" + (8 + i) + ":13562",
                        transport,
                        transport.equals("default") ? "cubic" : transport,
                        0,
                        null,
                        1_200L * (i + 1),
                        "rule.1",
                        new SocketFacts(true, 12, 3, 420, 1)))
            .toList(),
        List.of());
  }
}
