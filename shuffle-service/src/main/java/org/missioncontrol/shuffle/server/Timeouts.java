/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import static org.missioncontrol.shuffle.server.ServerCounter.IDLE_TIMEOUTS;
import static org.missioncontrol.shuffle.server.ServerCounter.STALL_TIMEOUTS;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection whose client does not ask in time, or takes not one byte of a reply in time;
 * one that takes a byte now and then is left alone. Event-loop confined.
 */
final class Timeouts extends ChannelInboundHandlerAdapter {
  /** Looks in one stall timeout; so a stall is seen at most this part of it late. */
  private static final int LOOKS = 4;

  private final long firstIdleMs;
  private final long stallMs;
  private final ServerEvents events;
  private @Nullable Future<?> task;
  private int looksWithoutProgress;
  private long seenPending;
  private long seenProgress;
  private int seenMessage;

  Timeouts(long firstIdleMs, long stallMs, ServerEvents events) {
    this.firstIdleMs = firstIdleMs;
    this.stallMs = stallMs;
    this.events = events;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    awaitRequest(ctx, firstIdleMs);
    ctx.fireChannelActive();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object request) {
    cancel();
    looksWithoutProgress = 0;
    long everyNanos = Math.max(1, TimeUnit.MILLISECONDS.toNanos(stallMs) / LOOKS);
    task =
        ctx.executor()
            .scheduleAtFixedRate(() -> look(ctx), everyNanos, everyNanos, TimeUnit.NANOSECONDS);
    ctx.fireChannelRead(request);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof ReplyDone done) {
      awaitRequest(ctx, done.idleMs());
    }
    ctx.fireUserEventTriggered(event);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    cancel();
    ctx.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    cancel();
  }

  private void awaitRequest(ChannelHandlerContext ctx, long idleMs) {
    cancel();
    task =
        ctx.executor()
            .schedule(
                () -> {
                  events.count(IDLE_TIMEOUTS, 1);
                  FireAndForget.close(ctx);
                },
                idleMs,
                TimeUnit.MILLISECONDS);
  }

  /** The client is at fault only while bytes wait for it. */
  private void look(ChannelHandlerContext ctx) {
    ChannelOutboundBuffer pending = ctx.channel().unsafe().outboundBuffer();
    if (pending == null || pending.isEmpty()) {
      looksWithoutProgress = 0;
      return;
    }
    long bytes = pending.totalPendingWriteBytes();
    long progress = pending.currentProgress();
    int message = System.identityHashCode(pending.current());
    boolean moved = bytes != seenPending || progress != seenProgress || message != seenMessage;
    seenPending = bytes;
    seenProgress = progress;
    seenMessage = message;
    looksWithoutProgress = moved ? 0 : looksWithoutProgress + 1;
    if (looksWithoutProgress >= LOOKS) {
      cancel();
      events.count(STALL_TIMEOUTS, 1);
      FireAndForget.close(ctx);
    }
  }

  private void cancel() {
    if (task != null) {
      task.cancel(false);
      task = null;
    }
  }
}
