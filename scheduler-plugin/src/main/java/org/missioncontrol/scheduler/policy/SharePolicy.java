/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.policy;

import java.util.List;

/**
 * Weighs the transfers of a host against each other. The throttle controller asks under its lock
 * whenever it computes shares, and hands the weights to {@link
 * org.missioncontrol.scheduler.share.WeightedMaxMin}, which turns them into whole flows and lets
 * nobody starve whatever the weights. To add a policy, implement this and list it in {@link
 * SharePolicies}. Immutable.
 */
public interface SharePolicy {
  /** By which the administrator chooses it. */
  String name();

  /**
   * The weight that a transfer asks for, before its cap: what its job wants. Positive, without
   * unit.
   */
  default float asked(TransferFacts transfer) {
    return transfer.wantedWeight();
  }

  /**
   * The weight of each transfer, in the order given, relative to each other; positive and finite.
   * It depends on the transfers alone, not on their order.
   */
  float[] weights(List<TransferFacts> transfers);
}
