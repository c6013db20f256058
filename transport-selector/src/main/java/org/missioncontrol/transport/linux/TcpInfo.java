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

/**
 * TCP_INFO of tcp(7) on one socket, read whole, since Netty's own view of it ends before the byte
 * counts. Immutable.
 */
final class TcpInfo {
  private static final int IPPROTO_TCP = 6;
  private static final int TCP_INFO = 11;

  /** Where {@code tcpi_bytes_received} of linux/tcp.h lies; in the kernel since 4.1. */
  private static final int BYTES_RECEIVED = 128;

  /** Byte {@code tcpi_options} and its bit TCPI_OPT_ECN. */
  private static final int OPTIONS = 5;

  private static final int ECN_NEGOTIATED = 8;

  private static final RawUnixChannelOption OPTION =
      new RawUnixChannelOption("TCP_INFO", IPPROTO_TCP, TCP_INFO, BYTES_RECEIVED + Long.BYTES);

  private TcpInfo() {}

  /** Whether ECN was negotiated; false if this is no open TCP socket of epoll. */
  static boolean ecn(Channel channel) {
    try {
      ByteBuffer info = channel.config().getOption(OPTION);
      return info != null && (info.get(OPTIONS) & ECN_NEGOTIATED) != 0;
    } catch (ChannelException e) {
      return false;
    }
  }

  /** Payload bytes since the handshake; -1 if this is no open TCP socket of epoll. */
  static long bytesReceived(Channel channel) {
    try {
      ByteBuffer info = channel.config().getOption(OPTION);
      return info == null ? -1 : info.order(ByteOrder.nativeOrder()).getLong(BYTES_RECEIVED);
    } catch (ChannelException e) {
      return -1;
    }
  }
}
