/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.control;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a NodeManager tells an ApplicationMaster about its host. Immutable.
 *
 * @param version of the message, {@link ControlProtocol#VERSION}
 * @param policy name of the share policy in force
 * @param budget flows that may be open at once
 * @param inUse flows that are leased now
 * @param transfers every transfer with tasks or a descriptor here
 * @param congestionControls transports that the host has
 * @param stored of the map outputs of the job that asks, if there is more than it knows; else null
 */
public record HostView(
    int version,
    String policy,
    int budget,
    int inUse,
    List<TransferView> transfers,
    List<String> congestionControls,
    @Nullable StoredBytes stored) {
  /** Copies the lists. */
  public HostView {
    transfers = List.copyOf(transfers);
    congestionControls = List.copyOf(congestionControls);
  }

  /** A view for nobody in particular. */
  public HostView(
      int version,
      String policy,
      int budget,
      int inUse,
      List<TransferView> transfers,
      List<String> congestionControls) {
    this(version, policy, budget, inUse, transfers, congestionControls, null);
  }

  /** The same for a job of which this is stored here. */
  public HostView with(@Nullable StoredBytes bytes) {
    return new HostView(version, policy, budget, inUse, transfers, congestionControls, bytes);
  }

  /** The same host with other transfers. */
  HostView withTransfers(List<TransferView> kept) {
    return new HostView(version, policy, budget, inUse, kept, congestionControls, stored);
  }

  /**
   * One transfer on the host. Immutable.
   *
   * @param wantedWeight what the job asks for, under the policy in force, before its cap
   * @param weight that its share is computed from
   * @param demand flows that its tasks hold or wait for
   * @param share flows that it may hold now
   * @param flows flows that it holds
   */
  public record TransferView(
      String job, float wantedWeight, float weight, int demand, int share, int flows) {}
}
