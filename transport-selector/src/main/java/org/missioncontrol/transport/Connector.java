/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Opens connections that have their transport from the first packet on. Thread-safe, does not
 * block.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // of listeners and closings; the outcome is the result's
public final class Connector {
  /** A host that vanished without a word must not hold a flow for longer, milliseconds. */
  public static final int TRY_MAX_MS = 20_000;

  private final Channels channels;
  private final HostNames names;
  private final TransportSelector selector;

  public Connector(Channels channels, HostNames names) {
    this.channels = channels;
    this.names = names;
    this.selector = new TransportSelector(channels.capabilities());
  }

  /**
   * A connection and what the kernel says of it. Immutable.
   *
   * @param congestionControl read back after the handshake
   */
  public record Connected(Channel channel, TransportChoice transport, String congestionControl) {}

  /**
   * The limit of one attempt; who has more patience tries again.
   *
   * @param patienceMs milliseconds; 0 or less: any time
   */
  public static int tryMs(int patienceMs) {
    return patienceMs > 0 ? Math.min(patienceMs, TRY_MAX_MS) : TRY_MAX_MS;
  }

  /**
   * Connects. Completes on {@code loop}; cancelling it closes the connection. A transport that the
   * host refuses is no failure: the connection is made with the default and says so.
   *
   * @param peer name and port, unresolved
   * @param timeoutMs milliseconds for resolving and connecting together; 0: no limit of ours
   * @param handler in the pipeline before the connection is made
   */
  public CompletableFuture<Connected> connect(
      EventLoop loop,
      InetSocketAddress peer,
      Transport asked,
      int timeoutMs,
      ChannelHandler handler) {
    CompletableFuture<Connected> result = new CompletableFuture<>();
    limit(result, loop, peer, timeoutMs);
    names
        .getResolver(loop)
        .resolve(peer)
        .addListener(
            (Future<InetSocketAddress> resolved) -> {
              if (!resolved.isSuccess()) {
                result.completeExceptionally(resolved.cause());
              } else if (!result.isDone()) {
                open(result, loop, resolved.getNow(), asked, handler);
              }
            });
    return result;
  }

  private void open(
      CompletableFuture<Connected> result,
      EventLoop loop,
      InetSocketAddress address,
      Transport asked,
      ChannelHandler handler) {
    Made made;
    try {
      made = make(asked);
    } catch (IOException | RuntimeException e) {
      result.completeExceptionally(e);
      return;
    }
    ChannelFuture registered =
        new Bootstrap()
            .group(loop)
            .channelFactory(made::channel)
            // The limit is ours, so that it covers the look-up of the name.
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.SO_KEEPALIVE, true)
            .handler(handler)
            .register();
    Channel channel = registered.channel();
    result.whenComplete(
        (connected, failure) -> {
          if (failure != null) {
            channel.close();
          }
        });
    registered.addListener(
        ready -> {
          if (!ready.isSuccess()) {
            result.completeExceptionally(ready.cause());
            return;
          }
          TransportChoice choice = prepare(made.choice(), channel);
          channel
              .connect(address)
              .addListener(
                  done -> {
                    if (done.isSuccess()) {
                      TransportChoice settled =
                          choice.used().needsEcn() || choice.used().isMultipath()
                              ? settle(choice, channel)
                              : choice;
                      result.complete(
                          new Connected(channel, settled, channels.congestionControl(channel)));
                    } else {
                      result.completeExceptionally(done.cause());
                    }
                  });
        });
  }

  /** The same connection with another transport, from its next bytes on. */
  public Connected change(Connected connected, Transport asked) {
    TransportChoice choice = settle(selector.choose(asked), connected.channel());
    return new Connected(
        connected.channel(), choice, channels.congestionControl(connected.channel()));
  }

  /** A socket that is not registered yet, and what it is for. Immutable. */
  private record Made(Channel channel, TransportChoice choice) {}

  private Made make(Transport asked) throws IOException {
    TransportChoice choice = selector.choose(asked);
    try {
      return new Made(channels.newConnection(choice.used()), choice);
    } catch (IOException e) {
      return new Made(
          channels.newConnection(Transport.DEFAULT),
          new TransportChoice(asked, Transport.DEFAULT, e.getMessage()));
    }
  }

  private TransportChoice prepare(TransportChoice choice, Channel channel) {
    try {
      channels.prepare(choice.used(), channel);
      return choice;
    } catch (IOException e) {
      return new TransportChoice(choice.asked(), Transport.DEFAULT, e.getMessage());
    }
  }

  /** On a connected socket: what was chosen, unless the peer did not do its part. */
  private TransportChoice settle(TransportChoice choice, Channel channel) {
    TransportChoice settled = choice.given(channels.ecn(channel), channels.subflows(channel) > 0);
    try {
      channels.apply(settled.used(), channel);
      return settled;
    } catch (IOException e) {
      return new TransportChoice(choice.asked(), Transport.DEFAULT, e.getMessage());
    }
  }

  private static void limit(
      CompletableFuture<Connected> result, EventLoop loop, InetSocketAddress peer, int timeoutMs) {
    if (timeoutMs <= 0) {
      return;
    }
    ScheduledFuture<?> timer =
        loop.schedule(
            () ->
                result.completeExceptionally(
                    new ConnectTimeoutException(
                        "no connection to " + peer + " within " + timeoutMs + " ms")),
            timeoutMs,
            TimeUnit.MILLISECONDS);
    result.whenComplete((connected, failure) -> timer.cancel(false));
  }
}
