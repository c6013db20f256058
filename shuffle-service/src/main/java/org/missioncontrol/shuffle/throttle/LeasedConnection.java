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
import org.missioncontrol.transport.PathTable;
import org.missioncontrol.transport.SocketFacts;
import org.missioncontrol.transport.Transport;
import org.missioncontrol.transport.TransportChoice;
import org.missioncontrol.transport.TransportDecision;
import org.missioncontrol.transport.linux.PassedSockets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The NodeManager's own descriptor of a connection that it opens for a task, kept until the lease
 * comes back. Event-loop confined, but for {@link #congestionControl}, {@link #subflows}, {@link
 * #bytesReceived}, {@link #facts}, {@link #decision} and {@link #refusal}, which any thread may
 * ask.
 */
final class LeasedConnection {
  private static final Logger LOG = LoggerFactory.getLogger(LeasedConnection.class);

  /** Bytes of a connection that was really used, so that further paths were worth joining. */
  private static final long SETTLED_BYTES = 1 << 20;

  private final Lease lease;
  private final Ask ask;
  private volatile TransportDecision decision;
  private @Nullable CompletableFuture<Connected> attempt;
  private long bytesSeen;
  private @Nullable SocketFacts told;
  private boolean seenBefore;
  private volatile @Nullable Connected connected;

  LeasedConnection(Lease lease, Ask ask, TransportDecision decision) {
    this.lease = lease;
    this.ask = ask;
    this.decision = decision;
  }

  Lease lease() {
    return lease;
  }

  Ask ask() {
    return ask;
  }

  /** What the connection shall have. */
  Transport transport() {
    return new Transport(decision.transport());
  }

  /** What the connection shall have, and why. */
  TransportDecision decision() {
    return decision;
  }

  /** What the kernel says of it, or null while it is being made. */
  @Nullable Connected connected() {
    return connected;
  }

  /** Has another transport from now on, as far as the host has it; bytes in flight stay. */
  void change(TransportDecision next, Connector connector) {
    Connected now = connected;
    if (now == null) {
      return;
    }
    boolean other = !next.transport().equals(decision.transport());
    decision = next;
    if (other) {
      connected = connector.change(now, transport());
    }
  }

  /** A rule wanted what is not to be had on this connection, and takes what there is. */
  Connected takesInstead(Connected made, TransportDecision instead) {
    Transport plain = new Transport(instead.transport());
    Connected now =
        new Connected(
            made.channel(), new TransportChoice(plain, plain, null), made.congestionControl());
    decision = instead;
    connected = now;
    return now;
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

  /** Lets the table of paths know what the kernel has to tell of it since it was last asked. */
  void teach(PathTable paths, Channels channels, long nanos) {
    SocketFacts now = facts(channels);
    if (now == null) {
      return;
    }
    paths.learn(ask.host(), told, now, nanos);
    told = now;
    int subflows = transport().isMultipath() ? subflows(channels) : 0;
    if (subflows > 1) {
      paths.multipath(ask.host(), subflows, nanos);
    }
  }

  /**
   * As {@link #teach}, once a second. A further path joins some round trips after the first bytes,
   * however many those are on a fast link: so one path is all there is only where the connection
   * was seen here a second ago.
   */
  void teachNowAndThen(PathTable paths, Channels channels, long nanos) {
    teach(paths, channels, nanos);
    SocketFacts now = told;
    if (now != null
        && seenBefore
        && transport().isMultipath()
        && now.bytesReceived() > SETTLED_BYTES) {
      paths.multipath(ask.host(), subflows(channels), nanos);
    }
    seenBefore = now != null;
  }

  /** What the kernel tells of it now; null while it is being made and where nothing is told. */
  @Nullable SocketFacts facts(Channels channels) {
    Connected now = connected;
    return now == null || !now.channel().isOpen() ? null : channels.facts(now.channel());
  }

  /** As the kernel tells it now. */
  String congestionControl(Channels channels) {
    Connected now = connected;
    return now == null || !now.channel().isOpen()
        ? Channels.UNKNOWN
        : channels.congestionControl(now.channel());
  }

  /** TCP connections that carry it now if it is an MPTCP connection, else 0. */
  int subflows(Channels channels) {
    Connected now = connected;
    return now == null || !now.channel().isOpen() ? 0 : channels.subflows(now.channel());
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
