/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.flow;

import io.netty.channel.Channel;
import java.util.concurrent.CompletableFuture;
import org.missioncontrol.transport.TransportChoice;

/** A connection that the NodeManager opened and lent. Thread-safe. */
@SuppressWarnings("FutureReturnValueIgnored") // of a closing, which nobody waits for
record LeasedFlow(
    Channel channel,
    TransportChoice transport,
    String congestionControl,
    long lease,
    DoorLink link,
    LentFlows lender)
    implements Flow {
  @Override
  public boolean leased() {
    return true;
  }

  @Override
  public CompletableFuture<Boolean> renew() {
    return lender.renew(this);
  }

  /** The lender gives the lease back when the channel is closed, by whomever. */
  @Override
  public void close() {
    channel.close();
  }
}
