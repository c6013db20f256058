/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import static org.missioncontrol.shuffle.server.ServerCounter.CONNECTIONS_CLOSED;
import static org.missioncontrol.shuffle.server.ServerCounter.CONNECTIONS_OPENED;
import static org.missioncontrol.shuffle.server.ServerCounter.CONNECTIONS_REFUSED;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Counts a connection in and out, and refuses one beyond the limit with 429 before it has asked
 * anything. Event-loop confined; the counter is shared.
 */
final class ConnectionLimit extends ChannelInboundHandlerAdapter {
  /**
   * Milliseconds that a client has to read its refusal and close. If the server closed first, a
   * request on its way would meet a reset, which can cost the client the refusal (RFC 9112, 9.6).
   */
  private static final long LINGER_MS = 1000;

  private final int max;
  private final AtomicInteger open;
  private final long patienceMs;
  private final ServerEvents events;
  private boolean counted;
  private boolean refused;
  private boolean answered;
  private @Nullable Future<?> giveUp;

  /**
   * @param max 0 for no limit
   * @param patienceMs milliseconds after which a client that is refused and has not shown whether
   *     it speaks TLS ({@link ProtocolKnown}) is answered in clear; 0 if the protocol is known
   */
  ConnectionLimit(int max, AtomicInteger open, long patienceMs, ServerEvents events) {
    this.max = max;
    this.open = open;
    this.patienceMs = patienceMs;
    this.events = events;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    counted = true;
    events.count(CONNECTIONS_OPENED, 1);
    refused = open.incrementAndGet() > max && max > 0;
    if (refused) {
      events.count(CONNECTIONS_REFUSED, 1);
      if (patienceMs == 0) {
        refuse(ctx);
      } else {
        giveUp = ctx.executor().schedule(() -> refuse(ctx), patienceMs, TimeUnit.MILLISECONDS);
      }
    } else {
      ctx.fireChannelActive();
    }
  }

  private void refuse(ChannelHandlerContext ctx) {
    answered = true;
    ctx.writeAndFlush(Replies.tooManyConnections())
        .addListener(ChannelFutureListener.CLOSE_ON_FAILURE)
        .addListener(
            written ->
                giveUp =
                    ctx.executor()
                        .schedule(
                            () -> FireAndForget.close(ctx), LINGER_MS, TimeUnit.MILLISECONDS));
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (giveUp != null && !answered && event instanceof ProtocolKnown && giveUp.cancel(false)) {
      refuse(ctx);
    }
    ctx.fireUserEventTriggered(event);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (refused) {
      ReferenceCountUtil.release(message);
    } else {
      ctx.fireChannelRead(message);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    if (giveUp != null) {
      giveUp.cancel(false);
    }
    if (counted) {
      counted = false;
      open.decrementAndGet();
      events.count(CONNECTIONS_CLOSED, 1);
    }
    ctx.fireChannelInactive();
  }
}
