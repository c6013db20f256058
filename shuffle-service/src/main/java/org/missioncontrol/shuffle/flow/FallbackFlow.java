/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.flow;

import io.netty.channel.Channel;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.missioncontrol.transport.TransportChoice;

/**
 * A plain connection for the time without a door: it carries no further batch once the door is
 * back, so that the NodeManager's books tell the truth again. Thread-safe.
 */
record FallbackFlow(Flow plain, BooleanSupplier stillNeeded) implements Flow {
  @Override
  public Channel channel() {
    return plain.channel();
  }

  @Override
  public boolean leased() {
    return plain.leased();
  }

  @Override
  public TransportChoice transport() {
    return plain.transport();
  }

  @Override
  public String congestionControl() {
    return plain.congestionControl();
  }

  @Override
  public CompletableFuture<Boolean> renew() {
    return stillNeeded.getAsBoolean() ? plain.renew() : CompletableFuture.completedFuture(false);
  }

  @Override
  public void close() {
    plain.close();
  }
}
