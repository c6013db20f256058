/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.security.ssl.SSLFactory;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.scheduler.control.ControlProtocol;
import org.missioncontrol.scheduler.control.ControlReply;
import org.missioncontrol.scheduler.control.ControlRequest;
import org.missioncontrol.scheduler.security.PeerNames;
import org.missioncontrol.transport.HostNames;

/**
 * Messages over HTTP, one connection each, no proxy, no redirects; one thread for all of them, and
 * two to look up names. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of listeners, whose outcome is what they do
final class HttpExchange implements ControlExchange {
  private static final int NAME_THREADS = 2;

  private final EventLoopGroup loops =
      new NioEventLoopGroup(1, new DefaultThreadFactory("mission-control-call", true));
  private final HostNames names = new HostNames(NAME_THREADS, "mission-control-names");
  private final @Nullable SSLFactory ssl;

  /** An exchange that speaks HTTPS if {@code ssl}, which stays the caller's. */
  HttpExchange(@Nullable SSLFactory ssl) {
    this.ssl = ssl;
  }

  @Override
  public CompletableFuture<ControlReply> exchange(
      Node node, ControlRequest request, long timeoutMs) {
    CompletableFuture<ControlReply> result = new CompletableFuture<>();
    try {
      ScheduledFuture<?> limit =
          loops.schedule(
              () ->
                  result.completeExceptionally(
                      new SocketTimeoutException("no answer within " + timeoutMs + " ms")),
              timeoutMs,
              TimeUnit.MILLISECONDS);
      Call call = new Call(node, request, result);
      ChannelFuture connecting =
          new Bootstrap()
              .group(loops)
              .channel(NioSocketChannel.class)
              .resolver(names)
              .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) Math.min(timeoutMs, 1 << 30))
              .option(ChannelOption.TCP_NODELAY, true)
              .option(ChannelOption.SO_KEEPALIVE, true)
              .handler(call)
              .connect(InetSocketAddress.createUnresolved(node.host(), node.port()));
      connecting.addListener((ChannelFuture done) -> call.connected(done));
      result.whenComplete(
          (reply, failure) -> {
            limit.cancel(false);
            connecting.channel().close();
          });
    } catch (RejectedExecutionException e) {
      result.completeExceptionally(new IOException("the controller has ended", e));
    }
    return result;
  }

  @Override
  public void close() {
    names.close();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }

  /** One connection with one message. */
  private final class Call extends ChannelInitializer<Channel> {
    private final Node node;
    private final ControlRequest request;
    private final CompletableFuture<ControlReply> result;

    Call(Node node, ControlRequest request, CompletableFuture<ControlReply> result) {
      this.node = node;
      this.request = request;
      this.result = result;
    }

    @Override
    protected void initChannel(Channel channel) throws IOException {
      if (ssl != null) {
        try {
          channel.pipeline().addLast(new SslHandler(ssl.createSSLEngine()));
        } catch (GeneralSecurityException e) {
          throw new IOException("cannot make a TLS engine", e);
        }
      }
      channel
          .pipeline()
          .addLast(new HttpClientCodec())
          .addLast(new HttpObjectAggregator(ControlProtocol.MAX_REPLY_BYTES))
          .addLast(new Answer(node, result));
    }

    void connected(ChannelFuture done) {
      SslHandler tls = done.isSuccess() ? done.channel().pipeline().get(SslHandler.class) : null;
      if (!done.isSuccess()) {
        result.completeExceptionally(done.cause());
      } else if (ssl == null) {
        done.channel().writeAndFlush(http());
      } else if (tls == null) {
        result.completeExceptionally(new IOException("no TLS to " + node));
      } else {
        tls.handshakeFuture().addListener(shaken -> shaken(shaken, done.channel(), tls, ssl));
      }
    }

    /** INVARIANT: nothing is sent before it is certain who listens. */
    private void shaken(Future<?> shaken, Channel channel, SslHandler tls, SSLFactory factory) {
      if (!shaken.isSuccess()) {
        result.completeExceptionally(shaken.cause());
      } else if (!PeerNames.match(
          node.host(), tls.engine().getSession(), factory.getHostnameVerifier())) {
        result.completeExceptionally(
            new IOException("the certificate of " + node + " is not for that host"));
      } else {
        channel.writeAndFlush(http());
      }
    }

    private FullHttpRequest http() {
      ByteBuf body = Unpooled.wrappedBuffer(request.body().getBytes(StandardCharsets.UTF_8));
      FullHttpRequest http =
          new DefaultFullHttpRequest(
              HttpVersion.HTTP_1_1, HttpMethod.valueOf(request.method()), request.path(), body);
      HttpHeaders headers = http.headers();
      headers.set(HttpHeaderNames.HOST, node.toString());
      headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
      headers.set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
      headers.set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON);
      header(headers, ControlProtocol.RECEIVER_HEADER, request.receiver());
      header(headers, ControlProtocol.JOB_HEADER, request.job());
      header(headers, ControlProtocol.SEQUENCE_HEADER, request.sequence());
      header(headers, ControlProtocol.SIGNATURE_HEADER, request.signature());
      return http;
    }

    private static void header(HttpHeaders headers, String name, @Nullable String value) {
      if (value != null) {
        headers.set(name, value);
      }
    }
  }

  /** Completes the result with what comes back first. */
  private static final class Answer extends SimpleChannelInboundHandler<FullHttpResponse> {
    private final Node node;
    private final CompletableFuture<ControlReply> result;

    Answer(Node node, CompletableFuture<ControlReply> result) {
      this.node = node;
      this.result = result;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpResponse http) {
      if (http.decoderResult().isFailure()) {
        result.completeExceptionally(http.decoderResult().cause());
        return;
      }
      result.complete(
          new ControlReply(
              http.status().code(),
              http.content().toString(StandardCharsets.UTF_8),
              http.headers().get(ControlProtocol.REPLY_SIGNATURE_HEADER)));
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      result.completeExceptionally(new IOException(node + " closed the connection"));
      context.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      result.completeExceptionally(cause);
    }
  }
}
