/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.policy;

import java.util.List;

/**
 * A transfer weighs as much as it has parallelism: {@code weight = min(wanted, cap) * N} for a
 * shuffle and {@code * N^2} for a broadcast, N being the hosts that the job uses, at least 1. From
 * the Mission Control thesis, section "Mission Controller": allocation by target machines for
 * shuffles and by flows for broadcasts, after Kumar et al., <i>A Case for Performance-Centric
 * Network Allocation</i>, HotCloud 2012. N is what the job's ApplicationMaster says. Immutable.
 */
final class PerformanceCentricByMachines implements SharePolicy {
  @Override
  public String name() {
    return "performance-centric-by-machines";
  }

  @Override
  public float[] weights(List<TransferFacts> transfers) {
    return Weights.ofEach(transfers, this::weight);
  }

  private double weight(TransferFacts transfer) {
    double machines = Math.max(1, transfer.machines());
    double parallelism = transfer.isBroadcast() ? machines * machines : machines;
    return transfer.capped(asked(transfer)) * parallelism;
  }
}
