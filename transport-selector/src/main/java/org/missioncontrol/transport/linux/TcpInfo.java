/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport.linux;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.unix.RawUnixChannelOption;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.transport.SocketFacts;

/**
 * TCP_INFO of tcp(7) on one socket, read whole, since Netty's own view of it ends before the byte
 * counts. Offsets are those of struct tcp_info in linux/tcp.h; what an older kernel does not fill
 * in stays 0. Immutable.
 */
final class TcpInfo {
  private static final int IPPROTO_TCP = 6;
  private static final int TCP_INFO = 11;

  /** Byte {@code tcpi_options} and its bit TCPI_OPT_ECN. */
  private static final int OPTIONS = 5;

  private static final int ECN_NEGOTIATED = 8;

  private static final int RTT = 68;
  private static final int TOTAL_RETRANS = 100;

  /** In the kernel since 4.1. */
  private static final int BYTES_RECEIVED = 128;

  /** {@code tcpi_delivered_ce}: marks that the peer reports of what was sent; since 4.20. */
  private static final int DELIVERED_CE = 196;

  /** {@code tcpi_received_ce}: marks on what came; since 6.18. */
  private static final int RECEIVED_CE = 248;

  /** Up to and with the last of these. */
  static final int BYTES = RECEIVED_CE + Integer.BYTES;

  private static final RawUnixChannelOption OPTION =
      new RawUnixChannelOption("TCP_INFO", IPPROTO_TCP, TCP_INFO, BYTES);

  private TcpInfo() {}

  /** Null if this is no open TCP socket of epoll. */
  static @Nullable SocketFacts read(Channel channel) {
    ByteBuffer info;
    try {
      info = channel.config().getOption(OPTION);
    } catch (ChannelException e) {
      return null;
    }
    if (info == null) {
      return null;
    }
    return facts(info);
  }

  /** What {@value #BYTES} bytes say. */
  static SocketFacts facts(ByteBuffer info) {
    info.order(ByteOrder.nativeOrder());
    return new SocketFacts(
        (info.get(OPTIONS) & ECN_NEGOTIATED) != 0,
        Integer.toUnsignedLong(info.getInt(DELIVERED_CE))
            + Integer.toUnsignedLong(info.getInt(RECEIVED_CE)),
        Integer.toUnsignedLong(info.getInt(TOTAL_RETRANS)),
        info.getInt(RTT),
        info.getLong(BYTES_RECEIVED));
  }

  /** Whether ECN was negotiated; false if this is no open TCP socket of epoll. */
  static boolean ecn(Channel channel) {
    SocketFacts facts = read(channel);
    return facts != null && facts.ecn();
  }

  /** Payload bytes since the handshake; -1 if this is no open TCP socket of epoll. */
  static long bytesReceived(Channel channel) {
    SocketFacts facts = read(channel);
    return facts == null ? -1 : facts.bytesReceived();
  }
}
