/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/** Checks replies and puts them into the mailbox. Event-loop confined, one per connection. */
final class ReplyHandler extends SimpleChannelInboundHandler<HttpObject> {
  /** What is kept of the text that comes with an error, characters. */
  private static final int MAX_ERROR_TEXT = 300;

  private final Mailbox mailbox;
  private final MapServer server;
  private final SecretKey secret;
  private final StringBuilder errorText = new StringBuilder();
  private @Nullable MapOutputRequest asked;
  private @Nullable MapOutputDecoder decoder;
  private @Nullable HttpResponse refusal;

  ReplyHandler(Mailbox mailbox, MapServer server, SecretKey secret) {
    this.mailbox = mailbox;
    this.server = server;
    this.secret = secret;
  }

  /** Sends a request; the reply to the one before has ended. */
  void ask(MapOutputRequest request, ChannelHandlerContext ctx) {
    asked = request;
    ctx.writeAndFlush(request.http())
        .addListener(
            written -> {
              if (!written.isSuccess()) {
                fail(ctx, broken("cannot send a request to " + server, written.cause()));
              }
            });
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, HttpObject part) {
    try {
      if (part.decoderResult().isFailure()) {
        throw new FetchFault(
            FetchFault.Kind.HOST, null, server + " sent no HTTP", part.decoderResult().cause());
      }
      if (part instanceof HttpResponse response) {
        head(ctx, response);
      }
      if (part instanceof HttpContent content) {
        body(content);
      }
    } catch (IOException e) {
      fail(ctx, e);
    }
  }

  private void head(ChannelHandlerContext ctx, HttpResponse response) throws IOException {
    MapOutputRequest request = asked;
    if (!response.status().equals(HttpResponseStatus.OK)) {
      refusal = response;
    } else if (request == null) {
      throw new FetchFault(FetchFault.Kind.HOST, server + " sent a reply that nobody asked for");
    } else {
      Reply.Head head = ReplyCheck.head(response, request, secret);
      decoder =
          new MapOutputDecoder(
              request,
              head.extended(),
              HttpUtil.getContentLength(response, -1L),
              item -> mailbox.put(item, ctx.channel()));
      mailbox.put(head, ctx.channel());
    }
  }

  private void body(HttpContent content) throws IOException {
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
      decoder.feed(content.content());
      if (last) {
        asked = null;
        decoder.end();
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
