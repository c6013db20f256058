/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import io.netty.channel.Channel;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.door.DoorMessage.Ask;
import org.missioncontrol.transport.Channels;
import org.missioncontrol.transport.Connector;
import org.missioncontrol.transport.Connector.Connected;
import org.missioncontrol.transport.Transport;
import org.missioncontrol.transport.linux.PassedSockets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The NodeManager's own descriptor of a connection that it opens for a task, kept until the lease
 * comes back. Event-loop confined, but for {@link #congestionControl}, {@link #bytesReceived} and
 * {@link #refusal}, which any thread may ask.
 */
final class LeasedConnection {
  private static final Logger LOG = LoggerFactory.getLogger(LeasedConnection.class);

  private final Lease lease;
  private final Ask ask;
  private volatile Transport transport;
  private @Nullable CompletableFuture<Connected> attempt;
  private long bytesSeen;
  private volatile @Nullable Connected connected;

  LeasedConnection(Lease lease, Ask ask, Transport transport) {
    this.lease = lease;
    this.ask = ask;
    this.transport = transport;
  }

  Lease lease() {
    return lease;
  }

  Ask ask() {
    return ask;
  }

  /** What the connection shall have. */
  Transport transport() {
    return transport;
  }

  /** What the kernel says of it, or null while it is being made. */
  @Nullable Connected connected() {
    return connected;
  }

  /** Has another transport from now on, as far as the host has it; bytes in flight stay. */
  void change(Transport next, Connector connector) {
    Connected now = connected;
    if (now != null && !next.equals(transport)) {
      transport = next;
      connected = connector.change(now, next);
    }
  }

  void connecting(CompletableFuture<Connected> attempt) {
    this.attempt = attempt;
  }

  void connected(Connected connected) {
    this.connected = connected;
  }

  boolean isConnected() {
    return connected != null;
  }

  /**
   * Whether bytes have come since it was last asked.
   *
   * @param bytes that have come until now
   */
  boolean moved(long bytes) {
    boolean more = bytes > bytesSeen;
    bytesSeen = bytes;
    return more;
  }

  /** As the kernel tells it now. */
  String congestionControl(Channels channels) {
    Connected now = connected;
    return now == null || !now.channel().isOpen()
        ? Channels.UNKNOWN
        : channels.congestionControl(now.channel());
  }

  /** Payload bytes that the kernel has received so far; -1 where it does not tell. */
  long bytesReceived(Channels channels) {
    Connected now = connected;
    return now == null || !now.channel().isOpen() ? -1 : channels.bytesReceived(now.channel());
  }

  @Nullable String refusal() {
    Connected now = connected;
    return now == null ? null : now.transport().refusal();
  }

  /** Closes our descriptor; the task's is not touched. Idempotent. */
  void close() {
    if (attempt != null) {
      attempt.cancel(false);
    }
    Connected now = connected;
    if (now != null) {
      PassedSockets.close(now.channel());
    }
  }

  /** Ends the connection also for the task. Idempotent. */
  void cut() {
    Connected now = connected;
    if (now != null) {
      shutdown(now.channel());
    }
    close();
  }

  private void shutdown(Channel channel) {
    try {
      PassedSockets.shutdown(channel);
    } catch (ClosedChannelException e) {
      LOG.trace("{} was closed before", channel);
    } catch (IOException e) {
      // Most likely ENOTCONN: the peer was faster. Closing does the rest.
      LOG.debug("cannot shut down {} to {}:{}", channel, ask.host(), ask.port(), e);
    }
  }
}
