/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.missioncontrol.scheduler.control.ControlProtocol;
import org.missioncontrol.scheduler.control.ControlReply;
import org.missioncontrol.scheduler.control.ControlRequest;
import org.missioncontrol.shuffle.server.ControlEndpoint;
import org.missioncontrol.shuffle.status.StatusSite;

/** Leads a message to whoever answers its path. Thread-safe. */
final class ControlRouter implements ControlEndpoint {
  private final StatusSite site;
  private final Function<ControlRequest, CompletableFuture<ControlReply>> transfers;
  private final Function<ControlRequest, ControlReply> orders;

  /**
   * @param transfers answers messages about transfers, and checks who sent them
   * @param orders answers operators, and checks that they are
   */
  ControlRouter(
      StatusSite site,
      Function<ControlRequest, CompletableFuture<ControlReply>> transfers,
      Function<ControlRequest, ControlReply> orders) {
    this.site = site;
    this.transfers = transfers;
    this.orders = orders;
  }

  @Override
  public CompletableFuture<ControlReply> handle(ControlRequest request) {
    if (request.path().equals(ControlProtocol.TRANSFER_PATH)) {
      return transfers.apply(request);
    }
    if (request.path().startsWith(ControlProtocol.ORDERS_PATH)) {
      return CompletableFuture.completedFuture(orders.apply(request));
    }
    return CompletableFuture.completedFuture(show(request));
  }

  private ControlReply show(ControlRequest request) {
    ControlReply shown = site.answer(request);
    return shown == null
        ? new ControlReply(
            404,
            "nothing here; there are "
                + ControlProtocol.ROOT
                + ", "
                + ControlProtocol.STATUS_PATH
                + ", "
                + ControlProtocol.TRANSFER_PATH
                + " and "
                + ControlProtocol.ORDERS_PATH,
            null)
        : shown;
  }
}
