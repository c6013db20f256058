/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.missioncontrol.transport.Channels;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connections that are open. Thread-safe. */
final class Connections {
  private static final Logger LOG = LoggerFactory.getLogger(Connections.class);
  private static final int MAX_SHOWN = 1000;
  private static final long MAX_WAIT_MS = 1000;

  private final Map<Channel, ConnectionState> open = new ConcurrentHashMap<>();

  /** Remembers a connection until it closes. */
  void add(Channel channel, ConnectionState state) {
    open.put(channel, state);
    channel.closeFuture().addListener(closed -> open.remove(channel));
  }

  /** Those that a job uses; each asks the kernel on its own event loop. */
  List<ServedConnection> served(Channels channels) {
    List<Future<ServedConnection>> asked = new ArrayList<>();
    for (Map.Entry<Channel, ConnectionState> entry : open.entrySet()) {
      Channel channel = entry.getKey();
      String job = entry.getValue().job();
      if (job != null && asked.size() < MAX_SHOWN) {
        try {
          asked.add(
              channel.eventLoop().submit(() -> show(channels, channel, job, entry.getValue())));
        } catch (RejectedExecutionException e) {
          LOG.debug("the server stops", e);
        }
      }
    }
    return await(asked);
  }

  /** Closes all and waits for each. */
  void close() {
    List<Channel> all = new ArrayList<>(open.keySet());
    List<ChannelFuture> closing = all.stream().map(Channel::close).toList();
    closing.forEach(closed -> closed.awaitUninterruptibly(MAX_WAIT_MS));
  }

  private static ServedConnection show(
      Channels channels, Channel channel, String job, ConnectionState state) {
    return new ServedConnection(
        job,
        name(channel.remoteAddress()),
        state.transport(),
        channels.congestionControl(channel),
        channels.subflows(channel),
        state.bytesSent(),
        state.encrypted(),
        state.refusal(),
        channels.facts(channel));
  }

  private static String name(SocketAddress address) {
    return address instanceof InetSocketAddress inet
        ? inet.getAddress().getHostAddress() + ":" + inet.getPort()
        : String.valueOf(address);
  }

  private static List<ServedConnection> await(List<Future<ServedConnection>> asked) {
    List<ServedConnection> shown = new ArrayList<>(asked.size());
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MAX_WAIT_MS);
    for (Future<ServedConnection> connection : asked) {
      try {
        shown.add(connection.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        break;
      } catch (ExecutionException | TimeoutException e) {
        LOG.debug("a connection did not tell its state", e);
      }
    }
    return List.copyOf(shown);
  }
}
