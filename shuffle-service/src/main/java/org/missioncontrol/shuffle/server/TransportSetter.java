/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import static org.missioncontrol.shuffle.server.ServerCounter.TRANSPORTS_APPLIED;
import static org.missioncontrol.shuffle.server.ServerCounter.TRANSPORTS_REFUSED;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.server.AuthenticatedRequest.TransportReport;
import org.missioncontrol.transport.Channels;
import org.missioncontrol.transport.Transport;
import org.missioncontrol.transport.TransportChoice;
import org.missioncontrol.transport.TransportSelector;

/**
 * Sets the wanted transport on our end of the socket before the reply's first byte; it stays until
 * another request wants another one. Event-loop confined.
 */
final class TransportSetter extends SimpleChannelInboundHandler<AuthenticatedRequest> {
  private static final int MAX_REASON = 200;

  private final Channels channels;
  private final ConnectionState state;
  private final ServerEvents events;

  TransportSetter(Channels channels, ConnectionState state, ServerEvents events) {
    this.channels = channels;
    this.state = state;
    this.events = events;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, AuthenticatedRequest request) {
    state.serves(request.shuffle().job());
    String wanted = request.shuffle().transport();
    if (wanted == null) {
      ctx.fireChannelRead(request);
      return;
    }
    String refusal = set(wanted, ctx.channel());
    events.count(refusal == null ? TRANSPORTS_APPLIED : TRANSPORTS_REFUSED, 1);
    state.asked(printable(wanted), refusal);
    ctx.fireChannelRead(
        request.with(new TransportReport(channels.congestionControl(ctx.channel()), refusal)));
  }

  /** Null when it was done, else why not. */
  private @Nullable String set(String wanted, Channel channel) {
    Transport asked;
    try {
      asked = new Transport(wanted);
    } catch (IllegalArgumentException e) {
      return printable(String.valueOf(e.getMessage()));
    }
    TransportChoice choice =
        new TransportSelector(channels.capabilities())
            .choose(asked)
            .given(channels.ecn(channel), channels.subflows(channel) > 0);
    try {
      channels.apply(choice.used(), channel);
    } catch (IOException e) {
      return printable(String.valueOf(e.getMessage()));
    }
    return choice.refusal() == null ? null : printable(choice.refusal());
  }

  /** Fit for a header. */
  private static String printable(String text) {
    String line = text.replaceAll("[^ -~]", "?");
    return line.length() <= MAX_REASON ? line : line.substring(0, MAX_REASON);
  }
}
