/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.wire.TlsProof;

/**
 * Asks a map host for its {@link TlsProof}, before anything else on a connection. Event-loop
 * confined, one per connection; takes itself out of the pipeline.
 */
final class ProofExchange extends SimpleChannelInboundHandler<HttpObject> {
  private final MapServer server;
  private final CompletableFuture<String> answer = new CompletableFuture<>();
  private @Nullable String proof;

  private ProofExchange(MapServer server) {
    this.server = server;
  }

  /**
   * What the host says, which proves nothing yet; called on a copier thread.
   *
   * @param timeoutMs milliseconds; 0: no limit
   */
  static String ask(Channel channel, MapServer server, String uri, long timeoutMs)
      throws IOException, InterruptedException {
    ProofExchange exchange = new ProofExchange(server);
    channel.eventLoop().execute(() -> exchange.begin(channel, uri));
    try {
      return timeoutMs > 0
          ? exchange.answer.get(timeoutMs, TimeUnit.MILLISECONDS)
          : exchange.answer.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException known) {
        throw known;
      }
      throw new IOException("cannot ask " + server + " for its proof: " + e.getCause(), e);
    } catch (TimeoutException e) {
      throw new FetchFault(
          FetchFault.Kind.HOST, null, server + " has not proved in time who it is", e);
    }
  }

  private void begin(Channel channel, String uri) {
    ChannelHandlerContext decoder = channel.pipeline().context(HttpResponseDecoder.class);
    if (decoder == null) {
      answer.completeExceptionally(closed());
      return;
    }
    channel.pipeline().addAfter(decoder.name(), null, this);
    DefaultFullHttpRequest request =
        new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, uri);
    request.headers().set(HttpHeaderNames.HOST, server.host() + ":" + server.port());
    channel
        .writeAndFlush(request)
        .addListener(
            written -> {
              if (!written.isSuccess()) {
                answer.completeExceptionally(closed());
              }
            });
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, HttpObject part) {
    if (part.decoderResult().isFailure()) {
      refuse("it sends no HTTP");
    } else if (part instanceof HttpResponse response) {
      head(response);
    }
    if (part instanceof HttpContent content) {
      if (content.content().isReadable()) {
        refuse("it sends something else");
      } else if (part instanceof LastHttpContent) {
        ctx.pipeline().remove(this);
        answer.complete(proof == null ? "" : proof);
      }
    }
  }

  private void head(HttpResponse response) {
    if (response.status().equals(HttpResponseStatus.TOO_MANY_REQUESTS)) {
      answer.completeExceptionally(ReplyCheck.refusal(response, server, ""));
    } else if (response.status().code() != HttpResponseStatus.OK.code()) {
      refuse("it answers " + response.status());
    } else {
      proof = response.headers().get(TlsProof.HEADER);
    }
  }

  private void refuse(String why) {
    answer.completeExceptionally(
        new EncryptionRefused(
            server + " has not proved that it knows the job's secret: " + why, false, null));
  }

  private FetchFault closed() {
    return new FetchFault(
        FetchFault.Kind.CUT, server + " closed the connection before it proved who it is");
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    answer.completeExceptionally(closed());
    ctx.fireChannelInactive();
  }
}
