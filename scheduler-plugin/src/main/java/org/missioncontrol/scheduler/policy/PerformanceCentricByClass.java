/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.policy;

import java.util.List;

/**
 * A broadcast weighs twice a shuffle, since each of its receivers waits for all of it: {@code
 * weight = min(wanted, cap) * (broadcast ? 2 : 1)}. From the Mission Control thesis, table of
 * weight assignment policies: "A broadcast transfer is assigned twice the weight of a shuffle
 * transfer"; of 10 flows the shuffle gets 3 and the broadcast 7. Immutable.
 */
final class PerformanceCentricByClass implements SharePolicy {
  @Override
  public String name() {
    return "performance-centric-by-class";
  }

  @Override
  public float[] weights(List<TransferFacts> transfers) {
    return Weights.ofEach(
        transfers,
        transfer -> transfer.capped(asked(transfer)) * (transfer.isBroadcast() ? 2.0 : 1.0));
  }
}
