/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http.HttpRequestEncoder;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.flow.Flow;
import org.missioncontrol.transport.Transport;
import org.missioncontrol.transport.TransportChoice;
import org.missioncontrol.transport.linux.BlockingReads;

/**
 * One connection to a map output server with what hangs on it: pipeline, mailbox, flow. It exists
 * before its flow does, since a flow is born with its pipeline. Thread-safe.
 */
final class Conversation {
  /** Longest first line and longest headers of a reply, bytes. */
  private static final int LINE = 4 << 10;

  private static final int HEADERS = 8 << 10;

  /** Most bytes of a body that are handed to the copier at once: each costs it a wake-up. */
  private static final int PIECE = 256 << 10;

  private final MapServer server;
  private final Mailbox mailbox = new Mailbox();
  private final ReplyHandler replies;
  private final @Nullable Guard guard;
  private final boolean copierReads;
  private volatile @Nullable SslHandler tls;
  private volatile @Nullable Flow flow;
  private volatile boolean used;
  private boolean otherThanDefault;
  private @Nullable SocketBody rest;

  /**
   * @param copierReadsFrom bytes of a body from which on the copier reads the socket itself; 0:
   *     never
   */
  Conversation(MapServer server, SecretKey secret, @Nullable Guard guard, int copierReadsFrom) {
    this.server = server;
    this.replies =
        new ReplyHandler(mailbox, server, secret, Conversation::decoder, copierReadsFrom);
    this.guard = guard;
    this.copierReads = copierReadsFrom > 0;
  }

  /** What the flow's channel is to be initialized with. */
  ChannelInitializer<Channel> initializer() {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) throws IOException {
        SslHandler handler = guard == null ? null : guard.newHandler(server);
        if (handler != null) {
          channel.pipeline().addLast(handler);
          tls = handler;
        }
        channel
            .config()
            .setRecvByteBufAllocator(new AdaptiveRecvByteBufAllocator(LINE, LINE, PIECE));
        channel.pipeline().addLast(new HttpRequestEncoder(), decoder(), replies);
      }
    };
  }

  private static HttpResponseDecoder decoder() {
    return new HttpResponseDecoder(LINE, HEADERS, PIECE);
  }

  void attach(Flow granted) {
    flow = granted;
  }

  MapServer server() {
    return server;
  }

  Flow flow() {
    Flow attached = flow;
    if (attached == null) {
      throw new IllegalStateException("no flow to " + server + " yet");
    }
    return attached;
  }

  /** Whether what comes is encrypted. */
  boolean encrypted() {
    return tls != null;
  }

  /** Whether a request has been sent before, so that the server may have closed it while idle. */
  boolean used() {
    return used;
  }

  /**
   * Transport that the server shall be asked for with the next request; null if it has the default
   * one already. A congestion control is each end's own, and the sender's counts: it is asked for
   * also where this host lacks it. What the handshake did not give, the other end cannot have.
   * Owned by the reduce thread.
   */
  @Nullable Transport transportToAsk() {
    TransportChoice choice = flow().transport();
    Transport wanted = choice.asked().madeForIt() ? choice.used() : choice.asked();
    if (wanted.isDefault() && !otherThanDefault) {
      return null;
    }
    otherThanDefault = true;
    return wanted;
  }

  /** Sends a request, first of all once the server has proved who it is, if it is to. */
  void ask(MapOutputRequest request, long timeoutMs) throws IOException, InterruptedException {
    Channel channel = flow().channel();
    SslHandler handler = tls;
    if (guard != null && guard.required() && handler == null) {
      throw new FetchFault(FetchFault.Kind.CUT, "the connection to " + server + " has no TLS");
    }
    if (guard != null && handler != null && !used) {
      verify(guard, channel, handler, timeoutMs);
    }
    if (copierReads && handler != null) {
      channel.eventLoop().execute(() -> takeOverTls(channel));
    }
    send(request);
  }

  /** Sends a request behind one that has been {@link #ask asked}, before its reply has ended. */
  void send(MapOutputRequest request) {
    Channel channel = flow().channel();
    channel
        .eventLoop()
        .execute(
            () -> {
              ChannelHandlerContext context = channel.pipeline().context(replies);
              if (context == null) {
                mailbox.fail(
                    new FetchFault(FetchFault.Kind.CUT, server + " closed the connection"));
              } else {
                replies.ask(request, context);
              }
            });
  }

  private static void takeOverTls(Channel channel) {
    if (BlockingReads.possible(channel)) {
      TlsHandler.takeOver(channel);
    }
  }

  private void verify(Guard by, Channel channel, SslHandler handler, long timeoutMs)
      throws IOException, InterruptedException {
    try {
      by.verify(channel, handler, server, timeoutMs);
    } catch (FetchFault e) {
      // A full server says so before it is asked for its proof, and closes.
      IOException said = mailbox.fault();
      throw said instanceof ServerBusy ? said : e;
    }
  }

  /** The next part of a reply, as {@link ReplySource#take}. Owned by the copier. */
  Reply take(long timeoutMs) throws IOException, InterruptedException {
    Reply item = rest == null ? mailbox.take(timeoutMs) : rest.take(timeoutMs);
    if (item instanceof Reply.Rest handed) {
      rest = handed.body();
      return take(timeoutMs);
    }
    if (item instanceof Reply.End) {
      rest = null;
    }
    return item;
  }

  /** The copier takes nothing more of this reply; unless it is complete, close this. */
  void leave() {
    if (rest != null) {
      rest.close();
      rest = null;
    }
  }

  /** The first reply is complete. */
  void answered() {
    used = true;
  }

  /** Asks for another batch on this connection. */
  CompletableFuture<Boolean> renew() {
    return mailbox.failed() ? CompletableFuture.completedFuture(false) : flow().renew();
  }

  void close() {
    mailbox.close();
    Flow attached = flow;
    if (attached != null) {
      attached.close();
    }
  }
}
