/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;

/**
 * Lets one request through at a time, so that replies never interleave; while others wait, nothing
 * more is read from the socket. Event-loop confined.
 */
final class RequestQueue extends ChannelInboundHandlerAdapter {
  /** More can only come in one read of the socket, and no client of the shuffle does that. */
  private static final int MAX_WAITING = 16;

  private final ArrayDeque<Object> waiting = new ArrayDeque<>();
  private boolean busy;

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) throws Refusal {
    if (!busy) {
      busy = true;
      ctx.fireChannelRead(message);
    } else if (waiting.size() < MAX_WAITING) {
      waiting.add(message);
      ctx.channel().config().setAutoRead(false);
    } else {
      ReferenceCountUtil.release(message);
      throw new Refusal(HttpResponseStatus.BAD_REQUEST, "Too many requests at once");
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    ctx.fireUserEventTriggered(event);
    if (event instanceof ReplyDone) {
      Object next = waiting.poll();
      busy = next != null;
      if (next != null) {
        ctx.fireChannelRead(next);
      } else {
        ctx.channel().config().setAutoRead(true);
      }
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    waiting.forEach(ReferenceCountUtil::release);
    waiting.clear();
  }
}
