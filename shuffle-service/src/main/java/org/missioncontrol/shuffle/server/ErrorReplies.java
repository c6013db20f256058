/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import static org.missioncontrol.shuffle.server.ServerCounter.REQUESTS_FAILED;
import static org.missioncontrol.shuffle.server.ServerCounter.REQUESTS_REFUSED;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where every error of a connection ends: as a reply if none has begun, and always with the
 * connection closed. Event-loop confined.
 */
final class ErrorReplies extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(ErrorReplies.class);

  private final ConnectionState state;
  private final ServerEvents events;

  ErrorReplies(ConnectionState state, ServerEvents events) {
    this.state = state;
    this.events = events;
  }

  /** Nothing gets this far but what no handler wants. */
  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ReferenceCountUtil.release(message);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (cause instanceof Refusal refusal) {
      LOG.debug("{} refused: {}", ctx.channel(), refusal.getMessage());
      answer(ctx, refusal.status(), String.valueOf(refusal.getMessage()));
    } else if (cause instanceof TooLongFrameException) {
      answer(ctx, HttpResponseStatus.BAD_REQUEST, "");
    } else if (cause instanceof IOException || cause instanceof DecoderException) {
      LOG.debug("{} is closed", ctx.channel(), cause);
      FireAndForget.close(ctx);
    } else {
      LOG.warn("{} failed and is closed", ctx.channel(), cause);
      answer(ctx, HttpResponseStatus.INTERNAL_SERVER_ERROR, "");
    }
  }

  private void answer(ChannelHandlerContext ctx, HttpResponseStatus status, String message) {
    if (state.closing()) {
      return;
    }
    state.closes();
    events.count(status.code() >= 500 ? REQUESTS_FAILED : REQUESTS_REFUSED, 1);
    if (state.replying()) {
      FireAndForget.close(ctx);
    } else {
      ctx.writeAndFlush(Replies.error(status, message)).addListener(ChannelFutureListener.CLOSE);
    }
  }
}
