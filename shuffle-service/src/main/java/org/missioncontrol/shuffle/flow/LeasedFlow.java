/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.flow;

import io.netty.channel.Channel;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.transport.Transport;
import org.missioncontrol.transport.TransportChoice;

/** A connection that the NodeManager opened and lent. Thread-safe. */
@SuppressWarnings("FutureReturnValueIgnored") // of a closing, which nobody waits for
final class LeasedFlow implements Flow {
  private final Channel channel;
  private final String congestionControl;
  private final long lease;
  private final DoorLink link;
  private final LentFlows lender;
  private volatile TransportChoice transport;

  LeasedFlow(
      Channel channel,
      TransportChoice transport,
      String congestionControl,
      long lease,
      DoorLink link,
      LentFlows lender) {
    this.channel = channel;
    this.transport = transport;
    this.congestionControl = congestionControl;
    this.lease = lease;
    this.link = link;
    this.lender = lender;
  }

  @Override
  public Channel channel() {
    return channel;
  }

  @Override
  public boolean leased() {
    return true;
  }

  @Override
  public TransportChoice transport() {
    return transport;
  }

  @Override
  public String congestionControl() {
    return congestionControl;
  }

  long lease() {
    return lease;
  }

  DoorLink link() {
    return link;
  }

  /**
   * What was done about a wish.
   *
   * @param wanted name of the transport that the NodeManager wants, or null: what was asked
   * @param refusal why this end has the default one, or null
   */
  static TransportChoice choice(
      Transport asked, @Nullable String wanted, @Nullable String refusal) {
    Transport now = wanted == null ? asked : new Transport(wanted);
    return new TransportChoice(now, refusal == null ? now : Transport.DEFAULT, refusal);
  }

  /** The NodeManager wants this transport from the next batch on; null: the same as before. */
  void change(@Nullable String wanted, @Nullable String refusal) {
    if (wanted != null) {
      transport = choice(transport.asked(), wanted, refusal);
    }
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
