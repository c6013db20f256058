/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.missioncontrol.shuffle.store.MapOutputException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prepares a reply: at once when all of it is in memory, else on a disk thread. Event-loop
 * confined.
 */
final class Resolver extends SimpleChannelInboundHandler<AuthenticatedRequest> {
  private static final Logger LOG = LoggerFactory.getLogger(Resolver.class);

  private final ReplyPreparer preparer;
  private final Executor disk;

  Resolver(ReplyPreparer preparer, Executor disk) {
    this.preparer = preparer;
    this.disk = disk;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, AuthenticatedRequest request) {
    Preparation preparation = preparer.begin(request);
    if (preparer.prepareNow(preparation)) {
      ctx.fireChannelRead(preparation.reply());
      return;
    }
    try {
      disk.execute(() -> prepare(ctx, preparation));
    } catch (RejectedExecutionException e) {
      LOG.debug("{} is closed, the server stops", ctx.channel(), e);
      preparation.abandon();
      FireAndForget.close(ctx);
    }
  }

  /** On a disk thread. */
  private void prepare(ChannelHandlerContext ctx, Preparation preparation) {
    PreparedReply reply;
    try {
      reply = preparer.prepare(preparation);
    } catch (MapOutputException e) {
      // Spoken by the store for a peer: it names no path.
      String message = String.valueOf(e.getMessage());
      fail(ctx, new Refusal(HttpResponseStatus.INTERNAL_SERVER_ERROR, message));
      return;
    } catch (RuntimeException | Error e) {
      fail(ctx, e);
      return;
    }
    try {
      ctx.executor().execute(() -> deliver(ctx, reply));
    } catch (RejectedExecutionException e) {
      LOG.debug("{} is gone, the server stops", ctx.channel(), e);
      reply.close();
    }
  }

  private static void fail(ChannelHandlerContext ctx, Throwable cause) {
    try {
      ctx.executor().execute(() -> ctx.fireExceptionCaught(cause));
    } catch (RejectedExecutionException e) {
      LOG.debug("{} is gone, the server stops", ctx.channel(), e);
    }
  }

  private static void deliver(ChannelHandlerContext ctx, PreparedReply reply) {
    if (ctx.channel().isActive() && !ctx.isRemoved()) {
      ctx.fireChannelRead(reply);
    } else {
      reply.close();
    }
  }
}
