/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.status;

import org.missioncontrol.shuffle.throttle.ThrottleSnapshot;
import org.missioncontrol.shuffle.throttle.ThrottleSnapshot.JobFlows;

/** What the throttle controller's books say of the whole host, for every kind of metrics. */
public enum HostGauge {
  FLOWS_BUDGET("FlowsBudget", "Fetch flows that may be open on this host at once"),
  FLOWS_IN_USE("FlowsInUse", "Fetch flows that are leased"),
  FLOWS_WAITING("FlowsWaiting", "Fetch flows that tasks wait for"),
  JOBS("Jobs", "Jobs with tasks at the door or a descriptor");

  private final String label;
  private final String description;

  HostGauge(String label, String description) {
    this.label = label;
    this.description = description;
  }

  /** In Hadoop's CamelCase. */
  public String label() {
    return label;
  }

  /** One line for an operator. */
  public String description() {
    return description;
  }

  /** What it is by these books. */
  public int read(ThrottleSnapshot now) {
    return switch (this) {
      case FLOWS_BUDGET -> now.budget();
      case FLOWS_IN_USE -> now.inUse();
      case FLOWS_WAITING ->
          Math.max(0, now.jobs().stream().mapToInt(JobFlows::demand).sum() - now.inUse());
      case JOBS -> now.jobs().size();
    };
  }
}
