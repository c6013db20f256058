/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport.linux;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.netty.channel.unix.RawUnixChannelOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.transport.SocketFacts;

/**
 * MPTCP_INFO of linux/mptcp.h on one socket. The kernel has none for a socket that fell back to
 * plain TCP. Immutable.
 */
final class MptcpInfo {
  /** Up to and with {@code mptcpi_subflows_total}. */
  static final int BYTES = 84;

  /** Up to and with {@code mptcpi_bytes_received}; in the kernel since 6.5. */
  static final int LEAST_BYTES = 72;

  private static final int SOL_SOCKET = 1;
  private static final int SO_PROTOCOL = 38;

  /** Byte {@code mptcpi_subflows}: those beyond the first. */
  private static final int SUBFLOWS = 0;

  /** {@code mptcpi_flags} and its bit MPTCP_INFO_FLAG_FALLBACK. */
  private static final int FLAGS = 8;

  private static final int FALLBACK = 1;
  private static final int BYTES_RECEIVED = 64;

  /** Byte {@code mptcpi_subflows_total}: those that are open now; 0 in older kernels. */
  private static final int SUBFLOWS_TOTAL = 80;

  /** MPTCP_SUBFLOWS_MAX of the kernel, and the first. */
  static final int MOST_SUBFLOWS = 9;

  private static final IntegerUnixChannelOption PROTOCOL =
      new IntegerUnixChannelOption("SO_PROTOCOL", SOL_SOCKET, SO_PROTOCOL);
  private static final RawUnixChannelOption OPTION =
      new RawUnixChannelOption("MPTCP_INFO", Mptcp.SOL_MPTCP, Mptcp.MPTCP_INFO, BYTES);

  private MptcpInfo() {}

  /** TCP connections that carry this one now, at least 1; 0 if this is no MPTCP connection. */
  static int subflows(Channel channel) {
    ByteBuffer info = read(channel);
    if (info == null) {
      return 0;
    }
    int open = Byte.toUnsignedInt(info.get(SUBFLOWS_TOTAL));
    return open > 0 ? open : 1 + Byte.toUnsignedInt(info.get(SUBFLOWS));
  }

  /** Payload bytes over all paths since the handshake; -1 if this is no MPTCP connection. */
  static long bytesReceived(Channel channel) {
    ByteBuffer info = read(channel);
    return info == null ? -1 : info.getLong(BYTES_RECEIVED);
  }

  /**
   * Over all paths: ECN where any has it, the shortest round trip, the rest added up; null if this
   * is no MPTCP connection or the kernel does not tell.
   */
  static @Nullable SocketFacts facts(Channel channel) {
    ByteBuffer info = read(channel);
    if (info == null) {
      return null;
    }
    try {
      return sum(Mptcp.subflowInfo(channel, MOST_SUBFLOWS), info.getLong(BYTES_RECEIVED));
    } catch (IOException e) {
      // It has ended meanwhile, or the kernel is older than 5.16.
      return null;
    }
  }

  static @Nullable SocketFacts sum(ByteBuffer subflows, long bytesReceived) {
    int count = Math.min(MOST_SUBFLOWS, subflows.getInt(Mptcp.SUBFLOW_COUNT));
    // An older kernel tells less of each than was asked for, and says how much.
    int size = Math.min(TcpInfo.BYTES, subflows.getInt(Mptcp.SUBFLOW_SIZE_USER));
    boolean ecn = false;
    long marks = 0;
    long retransmits = 0;
    int rttMicros = 0;
    for (int i = 0; i < count; i++) {
      ByteBuffer whole = ByteBuffer.allocate(TcpInfo.BYTES);
      whole.put(0, subflows, Mptcp.SUBFLOW_DATA + i * size, size);
      SocketFacts one = TcpInfo.facts(whole);
      ecn |= one.ecn();
      marks += one.marks();
      retransmits += one.retransmits();
      if (one.rttMicros() > 0) {
        rttMicros = rttMicros == 0 ? one.rttMicros() : Math.min(rttMicros, one.rttMicros());
      }
    }
    return count == 0 ? null : new SocketFacts(ecn, marks, retransmits, rttMicros, bytesReceived);
  }

  private static @Nullable ByteBuffer read(Channel channel) {
    try {
      // Asked first, since it costs plain TCP no exception.
      Integer protocol = channel.config().getOption(PROTOCOL);
      if (protocol == null || protocol != Mptcp.PROTOCOL) {
        return null;
      }
      ByteBuffer info = channel.config().getOption(OPTION);
      if (info == null) {
        return null;
      }
      info.order(ByteOrder.nativeOrder());
      return (info.getInt(FLAGS) & FALLBACK) == 0 ? info : null;
    } catch (ChannelException e) {
      return null;
    }
  }
}
