/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import static org.missioncontrol.shuffle.server.ServerCounter.CONTROL_MESSAGES;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.scheduler.control.ControlProtocol;
import org.missioncontrol.scheduler.control.ControlReply;
import org.missioncontrol.scheduler.control.ControlRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the control messages out of the stream of requests and has them answered elsewhere.
 * Event-loop confined.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of continuations, whose outcome is what they do
final class ControlHandler extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(ControlHandler.class);

  private final ControlEndpoint endpoint;
  private final Executor executor;
  private final ServerEvents events;
  private final long idleMs;
  private @Nullable CompletableFuture<ControlReply> waiting;

  ControlHandler(ControlEndpoint endpoint, Executor executor, ServerEvents events, long idleMs) {
    this.endpoint = endpoint;
    this.executor = executor;
    this.events = events;
    this.idleMs = idleMs;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (message instanceof FullHttpRequest http
        && http.uri().startsWith(ControlProtocol.ENTRANCE)
        && http.decoderResult().isSuccess()) {
      boolean keepAlive = HttpUtil.isKeepAlive(http);
      ControlRequest request;
      try {
        request = request(http);
      } finally {
        http.release();
      }
      try {
        executor.execute(() -> answer(ctx, request, keepAlive));
      } catch (RejectedExecutionException e) {
        LOG.debug("{} is closed, the server stops", ctx.channel(), e);
        FireAndForget.close(ctx);
      }
    } else {
      ctx.fireChannelRead(message);
    }
  }

  private static ControlRequest request(FullHttpRequest http) {
    HttpHeaders headers = http.headers();
    int query = http.uri().indexOf('?');
    return new ControlRequest(
        http.method().name(),
        query < 0 ? http.uri() : http.uri().substring(0, query),
        headers.get(ControlProtocol.RECEIVER_HEADER),
        headers.get(ControlProtocol.JOB_HEADER),
        headers.get(ControlProtocol.SEQUENCE_HEADER),
        headers.get(ControlProtocol.SIGNATURE_HEADER),
        http.content().toString(StandardCharsets.UTF_8));
  }

  /** On a control thread. */
  private void answer(ChannelHandlerContext ctx, ControlRequest request, boolean keepAlive) {
    CompletableFuture<ControlReply> reply;
    try {
      reply = endpoint.handle(request);
    } catch (RuntimeException e) {
      reply = CompletableFuture.failedFuture(e);
    }
    events.count(CONTROL_MESSAGES, 1);
    CompletableFuture<ControlReply> coming = reply;
    ctx.executor().execute(() -> await(ctx, request, coming, keepAlive));
  }

  /** The answer may take long; if the client goes meanwhile, nobody needs it any more. */
  private void await(
      ChannelHandlerContext ctx,
      ControlRequest request,
      CompletableFuture<ControlReply> coming,
      boolean keepAlive) {
    if (!ctx.channel().isActive()) {
      coming.cancel(false);
      return;
    }
    waiting = coming;
    coming.whenCompleteAsync(
        (reply, failure) -> {
          waiting = null;
          if (failure == null) {
            send(ctx, reply, keepAlive);
          } else if (!coming.isCancelled()) {
            LOG.warn("control message {} {} failed", request.method(), request.path(), failure);
            send(ctx, new ControlReply(500, "the message could not be handled", null), keepAlive);
          }
        },
        ctx.executor());
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    CompletableFuture<ControlReply> abandoned = waiting;
    if (abandoned != null) {
      abandoned.cancel(false);
    }
    ctx.fireChannelInactive();
  }

  private void send(ChannelHandlerContext ctx, ControlReply reply, boolean keepAlive) {
    FullHttpResponse response = response(reply, keepAlive);
    ctx.writeAndFlush(response)
        .addListener(
            (ChannelFutureListener)
                sent -> {
                  if (keepAlive && sent.isSuccess()) {
                    ctx.pipeline().fireUserEventTriggered(new ReplyDone(idleMs));
                  } else {
                    FireAndForget.close(ctx);
                  }
                });
  }

  private static FullHttpResponse response(ControlReply reply, boolean keepAlive) {
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.valueOf(reply.status()),
            Unpooled.wrappedBuffer(reply.body().getBytes(StandardCharsets.UTF_8)));
    response
        .headers()
        .set(
            HttpHeaderNames.CONTENT_TYPE,
            reply.status() == 200 ? "application/json" : "text/plain; charset=UTF-8");
    reply.headers().forEach((name, value) -> response.headers().set(name, value));
    if (reply.signature() != null) {
      response.headers().set(ControlProtocol.REPLY_SIGNATURE_HEADER, reply.signature());
    }
    HttpUtil.setContentLength(response, response.content().readableBytes());
    HttpUtil.setKeepAlive(response, keepAlive);
    return response;
  }
}
