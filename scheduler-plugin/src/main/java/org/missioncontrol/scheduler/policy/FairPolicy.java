/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.policy;

import java.util.List;

/**
 * Jobs weigh what they want, within their caps; so without further settings all are equal: {@code
 * weight = min(wanted, cap)}. From the Mission Control thesis, table of weight assignment policies:
 * "Jobs are assigned equal weights"; two jobs get 5 and 5 of 10 flows. Immutable.
 */
final class FairPolicy implements SharePolicy {
  @Override
  public String name() {
    return "fair";
  }

  @Override
  public float[] weights(List<TransferFacts> transfers) {
    return Weights.ofEach(transfers, transfer -> transfer.capped(asked(transfer)));
  }
}
