/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.transport.linux.EpollChannels;

/**
 * Where sockets come from on this host and how they get their options: epoll on Linux, NIO
 * elsewhere. Thread-safe; the per-channel methods may be called from any thread.
 */
public interface Channels {
  /** Stands for a congestion control that cannot be read. */
  String UNKNOWN = "unknown";

  /** Epoll where its native library loads, else NIO. */
  static Channels detect() {
    return EpollChannels.available() ? new EpollChannels() : new NioChannels();
  }

  /** Whether sockets are Linux epoll sockets; costs no probing. */
  boolean epoll();

  /** What this host can do; probed when first asked, which may take a quarter of a second. */
  HostCapabilities capabilities();

  /** What this host has that transports are chosen by. */
  HostTraits traits();

  /**
   * A group of {@code threads} daemon event loops (0: twice the cores), named {@code name-N}; the
   * caller shuts it down.
   */
  EventLoopGroup newEventLoopGroup(int threads, String name);

  /**
   * A listening socket to be bound, which takes MPTCP beside TCP where this host has it; who comes
   * with TCP gets a TCP socket.
   */
  ServerChannel newListener();

  /**
   * A socket to be connected, of the kind that the transport needs.
   *
   * @throws IOException if there is none of that kind, naming the transport; not for {@link
   *     Transport#DEFAULT}
   */
  Channel newConnection(Transport transport) throws IOException;

  /**
   * Sets on a socket that is not connected yet what the transport needs in the handshake. ECN is
   * settled then, by the congestion controls that both ends have at that moment.
   *
   * @throws IOException as {@link #apply}
   */
  void prepare(Transport transport, Channel channel) throws IOException;

  /**
   * Lets a listening socket negotiate ECN with who asks for it, as far as this host can; to be
   * followed by {@link #accepted}.
   */
  void listen(Channel listener);

  /** Gives a socket that was accepted the host's default, before its first byte. */
  void accepted(Channel channel) throws IOException;

  /** Whether ECN was negotiated when this socket was connected; false where nobody can tell. */
  boolean ecn(Channel channel);

  /**
   * TCP connections that carry this one now, at least 1 if it is an MPTCP connection; 0 if it is
   * plain TCP, also because the other end or the path has no MPTCP.
   */
  int subflows(Channel channel);

  /**
   * Sets the transport on this end of a connected socket; {@link Transport#DEFAULT} is what the
   * host's sockets have when nobody asks, also on a socket that has had another one.
   *
   * @throws IOException if the kernel refuses, naming transport, socket and what the host has
   */
  void apply(Transport transport, Channel channel) throws IOException;

  /**
   * The congestion control of this end, read back from the kernel; {@link #UNKNOWN} where it cannot
   * be read.
   */
  String congestionControl(Channel channel);

  /** What the kernel tells of an open TCP connection, or null where it tells nothing. */
  @Nullable SocketFacts facts(Channel channel);

  /**
   * Payload bytes that the kernel has received on this socket since it was connected, whoever has
   * read them; -1 where the kernel does not tell.
   */
  long bytesReceived(Channel channel);
}
