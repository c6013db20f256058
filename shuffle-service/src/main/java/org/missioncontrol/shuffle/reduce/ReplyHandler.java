/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.transport.linux.BlockingReads;

/** Checks replies and puts them into the mailbox. Event-loop confined, one per connection. */
final class ReplyHandler extends SimpleChannelInboundHandler<Object> {
  /** What is kept of the text that comes with an error, characters. */
  private static final int MAX_ERROR_TEXT = 300;

  private final Mailbox mailbox;
  private final MapServer server;
  private final SecretKey secret;
  private final Supplier<HttpResponseDecoder> decoders;
  private final int copierReadsFrom;
  private final StringBuilder errorText = new StringBuilder();
  private final Deque<MapOutputRequest> asked = new ArrayDeque<>();
  private @Nullable MapOutputDecoder decoder;
  private @Nullable HttpResponse refusal;

  /**
   * @param decoders makes what stands before this in the pipeline
   * @param copierReadsFrom bytes of a body from which on the copier reads the socket itself; 0:
   *     never
   */
  ReplyHandler(
      Mailbox mailbox,
      MapServer server,
      SecretKey secret,
      Supplier<HttpResponseDecoder> decoders,
      int copierReadsFrom) {
    this.mailbox = mailbox;
    this.server = server;
    this.secret = secret;
    this.decoders = decoders;
    this.copierReadsFrom = copierReadsFrom;
  }

  /** Sends a request; the replies come in the order of the requests. */
  void ask(MapOutputRequest request, ChannelHandlerContext ctx) {
    asked.addLast(request);
    ctx.writeAndFlush(request.http())
        .addListener(
            written -> {
              if (!written.isSuccess()) {
                fail(ctx, broken("cannot send a request to " + server, written.cause()));
              }
            });
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, Object message) {
    try {
      if (message instanceof ByteBuf bytes) {
        bare(ctx, bytes);
        return;
      }
      HttpObject part = (HttpObject) message;
      if (part.decoderResult().isFailure()) {
        throw new FetchFault(
            FetchFault.Kind.HOST, null, server + " sent no HTTP", part.decoderResult().cause());
      }
      if (part instanceof HttpResponse response) {
        head(ctx, response);
      }
      if (part instanceof HttpContent content) {
        body(ctx, content);
      }
    } catch (IOException e) {
      fail(ctx, e);
    }
  }

  private void head(ChannelHandlerContext ctx, HttpResponse response) throws IOException {
    MapOutputRequest request = asked.pollFirst();
    if (!response.status().equals(HttpResponseStatus.OK)) {
      refusal = response;
    } else if (request == null) {
      throw new FetchFault(FetchFault.Kind.HOST, server + " sent a reply that nobody asked for");
    } else {
      Reply.Head head = ReplyCheck.head(response, request, secret);
      decoder = new MapOutputDecoder(request, head.extended(), head.bodyLength());
      mailbox.put(head, ctx.channel());
      if (copierReadsFrom > 0
          && head.bodyLength() >= copierReadsFrom
          && mailbox.nearlyEmpty()
          && readable(response, ctx)) {
        handOver(ctx);
      }
    }
  }

  /** Whether a copier can make of what is on the socket the body. */
  private static boolean readable(HttpResponse response, ChannelHandlerContext ctx) {
    return BlockingReads.possible(ctx.channel())
        && ctx.pipeline().get(SslHandler.class) == null
        && !HttpUtil.isTransferEncodingChunked(response);
  }

  /**
   * Lets the copier read the rest of the body. What is here already comes first: what the decoder
   * holds when it is removed, and what Netty still reads until the channel is deregistered, which
   * it does, automatic reads or not, when the server has closed the connection.
   */
  private void handOver(ChannelHandlerContext ctx) {
    Channel channel = ctx.channel();
    channel.config().setAutoRead(false);
    ctx.pipeline().remove(HttpResponseDecoder.class);
    if (channel.isOpen() && decoder == null) {
      addDecoder(ctx);
      channel.config().setAutoRead(true);
    } else if (channel.isOpen()) {
      ctx.deregister()
          .addListener(
              done -> {
                if (!done.isSuccess()) {
                  fail(ctx, broken("the connection to " + server + " broke", done.cause()));
                } else if (decoder == null) {
                  takeBack(ctx, Unpooled.EMPTY_BUFFER);
                } else {
                  copierReads(ctx, decoder);
                }
              });
    }
  }

  private void copierReads(ChannelHandlerContext ctx, MapOutputDecoder begun) {
    try {
      Consumer<ByteBuf> ended = next -> ctx.executor().execute(() -> takeBack(ctx, next));
      SocketBody rest = new SocketBody(ctx.channel(), reads(ctx.channel()), begun, ended);
      decoder = null;
      mailbox.put(new Reply.Rest(rest), ctx.channel());
    } catch (IOException | RuntimeException | Error e) {
      decoder = begun;
      fail(ctx, broken("cannot read from " + server, e));
    }
  }

  private static BodyReads reads(Channel channel) throws IOException {
    TlsRecords records = TlsHandler.records(channel);
    BlockingReads socket = BlockingReads.of(channel);
    return records == null
        ? BodyReads.clear(socket, channel.alloc())
        : BodyReads.encrypted(socket, channel.alloc(), records);
  }

  /**
   * The body is complete: the event loop reads what comes next.
   *
   * @param next bytes of the next reply that have been read already
   */
  private void takeBack(ChannelHandlerContext ctx, ByteBuf next) {
    Channel channel = ctx.channel();
    if (!channel.isOpen()) {
      next.release();
    } else {
      addDecoder(ctx);
      channel.config().setAutoRead(true);
      ctx.channel()
          .eventLoop()
          .register(channel)
          .addListener(
              done -> {
                if (!done.isSuccess()) {
                  next.release();
                  fail(ctx, broken("the connection to " + server + " broke", done.cause()));
                } else if (next.isReadable()) {
                  TlsHandler.pass(channel, next);
                }
              });
    }
  }

  private void addDecoder(ChannelHandlerContext ctx) {
    ctx.pipeline().addBefore(ctx.name(), null, decoders.get());
  }

  /** A piece of a body that comes without the decoder. */
  private void bare(ChannelHandlerContext ctx, ByteBuf bytes) throws IOException {
    MapOutputDecoder begun = decoder;
    if (begun == null) {
      throw new FetchFault(FetchFault.Kind.HOST, server + " sent more than it said it would");
    }
    Consumer<Reply> out = item -> mailbox.put(item, ctx.channel());
    begun.feed(bytes, out);
    if (begun.bodyLeft() == 0) {
      decoder = null;
      begun.end(out);
    }
  }

  private void body(ChannelHandlerContext ctx, HttpContent content) throws IOException {
    boolean last = content instanceof LastHttpContent;
    if (refusal != null) {
      if (errorText.length() < MAX_ERROR_TEXT) {
        String text = content.content().toString(StandardCharsets.UTF_8);
        errorText.append(text, 0, Math.min(text.length(), MAX_ERROR_TEXT));
      }
      if (last) {
        throw ReplyCheck.refusal(refusal, server, errorText.toString());
      }
    } else if (decoder != null) {
      Consumer<Reply> out = item -> mailbox.put(item, ctx.channel());
      decoder.feed(content.content(), out);
      if (last) {
        decoder.end(out);
        decoder = null;
      }
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    fail(ctx, broken(server + " closed the connection", null));
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    fail(ctx, broken("the connection to " + server + " broke", cause));
  }

  private IOException broken(String what, @Nullable Throwable cause) {
    if (refusal != null) {
      return ReplyCheck.refusal(refusal, server, errorText.toString());
    }
    return decoder != null
        ? decoder.cut(cause)
        : new FetchFault(
            FetchFault.Kind.CUT, null, what + (cause == null ? "" : ": " + cause), cause);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // of a closing, which nobody waits for
  private void fail(ChannelHandlerContext ctx, IOException why) {
    mailbox.fail(why);
    decoder = null;
    refusal = null;
    ctx.close();
  }
}
