/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.control;

import org.jspecify.annotations.Nullable;

/**
 * What an ApplicationMaster sends to a NodeManager. Immutable.
 *
 * @param version of the message, {@link ControlProtocol#VERSION}
 * @param transfer as it is now
 * @param order that is in force for the job, as the operator signed it, or null
 * @param seen the {@link HostAnswer#state} that the sender has; null: it has none
 * @param waitMs milliseconds that the answer may be held back while the state is still the one
 *     seen; 0: it comes at once
 * @param restMs milliseconds before the answer may come for no more than other weights and shares;
 *     0: such news too comes soon
 */
public record Announcement(
    int version,
    TransferDescriptor transfer,
    @Nullable SignedOrder order,
    @Nullable String seen,
    long waitMs,
    long restMs) {
  /** One that is answered at once. */
  public static Announcement now(TransferDescriptor transfer, @Nullable SignedOrder order) {
    return new Announcement(ControlProtocol.VERSION, transfer, order, null, 0, 0);
  }

  /** One whose answer waits for news. */
  public static Announcement poll(
      TransferDescriptor transfer,
      @Nullable SignedOrder order,
      String seen,
      long waitMs,
      long restMs) {
    return new Announcement(ControlProtocol.VERSION, transfer, order, seen, waitMs, restMs);
  }
}
