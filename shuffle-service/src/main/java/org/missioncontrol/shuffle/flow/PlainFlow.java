/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.flow;

import io.netty.channel.Channel;
import java.util.concurrent.CompletableFuture;
import org.missioncontrol.transport.Connector.Connected;
import org.missioncontrol.transport.TransportChoice;

/** A connection of our own. Thread-safe. */
@SuppressWarnings("FutureReturnValueIgnored") // of a closing, which nobody waits for
record PlainFlow(Connected connected) implements Flow {
  @Override
  public Channel channel() {
    return connected.channel();
  }

  @Override
  public boolean leased() {
    return false;
  }

  @Override
  public TransportChoice transport() {
    return connected.transport();
  }

  @Override
  public String congestionControl() {
    return connected.congestionControl();
  }

  @Override
  public CompletableFuture<Boolean> renew() {
    return CompletableFuture.completedFuture(true);
  }

  @Override
  public void close() {
    channel().close();
  }
}
