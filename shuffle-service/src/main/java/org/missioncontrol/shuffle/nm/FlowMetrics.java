/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;
import org.missioncontrol.shuffle.status.Count;
import org.missioncontrol.shuffle.status.HostGauge;
import org.missioncontrol.shuffle.throttle.ThrottleSnapshot;

/** What Mission Control adds to the stock metrics. Thread-safe. */
final class FlowMetrics implements MetricsSource {
  static final String NAME = "MissionControl";

  private final Supplier<ThrottleSnapshot> flows;
  private final Supplier<List<Count>> counters;

  FlowMetrics(Supplier<ThrottleSnapshot> flows, Supplier<List<Count>> counters) {
    this.flows = flows;
    this.counters = counters;
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    ThrottleSnapshot now = flows.get();
    MetricsRecordBuilder record = collector.addRecord(NAME).setContext("missioncontrol");
    for (HostGauge gauge : HostGauge.values()) {
      record.addGauge(Interns.info(gauge.label(), gauge.description()), gauge.read(now));
    }
    for (Count count : counters.get()) {
      record.addCounter(Interns.info(count.name(), count.description()), count.value());
    }
  }
}
