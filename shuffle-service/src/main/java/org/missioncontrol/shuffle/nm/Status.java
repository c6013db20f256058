/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.net.NetUtils;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.server.ShuffleServer;
import org.missioncontrol.shuffle.throttle.ThrottleSnapshot;
import org.missioncontrol.transport.HostCapabilities;

/** Gathers the status from those who know. Thread-safe. */
final class Status implements Supplier<@Nullable StatusReport> {
  private final String version = Version.read();
  private final String host = NetUtils.getLocalHostname();
  private final HostCapabilities capabilities;
  private final int budget;
  private final JobRegistry jobs;
  private final Counters counters;
  private volatile @Nullable ShuffleServer server;

  Status(HostCapabilities capabilities, int budget, JobRegistry jobs, Counters counters) {
    this.capabilities = capabilities;
    this.budget = budget;
    this.jobs = jobs;
    this.counters = counters;
  }

  /** From now on there is a status. */
  void serving(ShuffleServer started) {
    server = started;
  }

  ThrottleSnapshot flows() {
    return new ThrottleSnapshot(budget, 0, List.of());
  }

  List<Count> counts() {
    return counters.all();
  }

  /** Null while the service starts. */
  @Override
  public @Nullable StatusReport get() {
    ShuffleServer serving = server;
    if (serving == null) {
      return null;
    }
    ThrottleSnapshot flows = flows();
    Map<String, Long> values = new LinkedHashMap<>();
    counts().forEach(count -> values.put(count.name(), count.value()));
    return new StatusReport(
        version,
        host,
        serving.port(),
        new StatusReport.Door(null, "not built"),
        capabilities,
        flows.budget(),
        flows.inUse(),
        jobs.size(),
        flows.jobs(),
        serving.served(),
        values);
  }
}
