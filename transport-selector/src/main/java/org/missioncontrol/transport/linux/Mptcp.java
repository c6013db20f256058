/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport.linux;

import com.sun.jna.LastErrorException;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.ptr.IntByReference;
import io.netty.channel.Channel;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes Multipath TCP sockets (RFC 8684; Documentation/networking/mptcp.rst of the kernel). Netty
 * cannot ask socket(2) for a protocol, so the descriptor of a fresh epoll channel is made to mean
 * an MPTCP socket: dup3(2). Thread-safe.
 */
final class Mptcp {
  /** IPPROTO_MPTCP of linux/in.h. */
  static final int PROTOCOL = 262;

  /** SOL_MPTCP and its option MPTCP_INFO, linux/mptcp.h. */
  static final int SOL_MPTCP = 284;

  static final int MPTCP_INFO = 1;

  private static final int MPTCP_TCPINFO = 2;

  /** Bytes of struct mptcp_subflow_data; it begins with this size. */
  static final int SUBFLOW_DATA = 16;

  /** In it: subflows that the kernel told of, and bytes that there shall be of each. */
  static final int SUBFLOW_COUNT = 4;

  static final int SUBFLOW_SIZE_USER = 12;

  private static final Logger LOG = LoggerFactory.getLogger(Mptcp.class);
  private static final Path ENABLED = Path.of("/proc/sys/net/mptcp/enabled");
  private static final int AF_INET = 2;
  private static final int AF_INET6 = 10;
  private static final int IPPROTO_IPV6 = 41;
  private static final int IPV6_V6ONLY = 26;
  private static final int SOL_SOCKET = 1;
  private static final int SO_DOMAIN = 39;
  private static final int SOCK_STREAM = 1;
  // Of asm-generic/fcntl.h, which every architecture has that Netty's native library is built for.
  private static final int SOCK_NONBLOCK = 04000;
  private static final int SOCK_CLOEXEC = 02000000;
  private static final IntegerUnixChannelOption DOMAIN =
      new IntegerUnixChannelOption("SO_DOMAIN", SOL_SOCKET, SO_DOMAIN);

  private Mptcp() {}

  /**
   * Makes a socket and looks whether the kernel tells the bytes of all its paths, without which a
   * busy connection would be taken for one that stands still.
   */
  static boolean available() {
    try {
      if (!Files.exists(ENABLED) || !Files.readString(ENABLED).trim().equals("1")) {
        return false;
      }
      int socket = socket(AF_INET);
      try {
        IntByReference length = new IntByReference(MptcpInfo.BYTES);
        LibC.IT.getsockopt(socket, SOL_MPTCP, MPTCP_INFO, new byte[MptcpInfo.BYTES], length);
        if (length.getValue() >= MptcpInfo.LEAST_BYTES) {
          return true;
        }
        LOG.info("MPTCP is not used: this kernel does not tell what its connections received");
        return false;
      } finally {
        LibC.IT.close(socket);
      }
    } catch (IOException | LastErrorException | LinkageError e) {
      LOG.info("MPTCP is not to be had here: {}", e.toString());
      return false;
    }
  }

  /**
   * Turns a channel that is neither bound, connected nor registered into one of MPTCP.
   *
   * @throws IOException with the kernel's error; the channel is then as before
   */
  static void make(Channel channel) throws IOException {
    Integer family = channel.config().getOption(DOMAIN);
    if (family == null) {
      throw new IOException("cannot make an MPTCP socket of " + channel + ", no epoll socket");
    }
    try {
      int socket = socket(family);
      try {
        if (family == AF_INET6) {
          // Netty's own sockets speak IPv4 too, whatever the host's net.ipv6.bindv6only says.
          LibC.IT.setsockopt(
              socket, IPPROTO_IPV6, IPV6_V6ONLY, new byte[Integer.BYTES], Integer.BYTES);
        }
        LibC.IT.dup3(socket, ((UnixChannel) channel).fd().intValue(), SOCK_CLOEXEC);
      } finally {
        LibC.IT.close(socket);
      }
    } catch (LastErrorException e) {
      throw new IOException(
          "cannot make an MPTCP socket: " + e.getMessage() + "; look at " + ENABLED, e);
    }
  }

  /**
   * MPTCP_TCPINFO of linux/mptcp.h: a header, then what {@link TcpInfo} reads of each subflow.
   *
   * @param subflows that there is room for
   */
  static ByteBuffer subflowInfo(Channel channel, int subflows) throws IOException {
    byte[] value = new byte[SUBFLOW_DATA + subflows * TcpInfo.BYTES];
    ByteBuffer info = ByteBuffer.wrap(value).order(ByteOrder.nativeOrder());
    info.putInt(0, SUBFLOW_DATA).putInt(SUBFLOW_SIZE_USER, TcpInfo.BYTES);
    try {
      int descriptor = ((UnixChannel) channel).fd().intValue();
      IntByReference length = new IntByReference(value.length);
      LibC.IT.getsockopt(descriptor, SOL_MPTCP, MPTCP_TCPINFO, value, length);
      return info;
    } catch (LastErrorException e) {
      throw new IOException("the subflows of " + channel + " are not told: " + e.getMessage(), e);
    }
  }

  private static int socket(int family) {
    return LibC.IT.socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, PROTOCOL);
  }

  /** The few functions of libc that Netty does not reach. Thread-safe. */
  private interface LibC extends Library {
    LibC IT = Native.load("c", LibC.class);

    int socket(int domain, int type, int protocol) throws LastErrorException;

    int dup3(int from, int to, int flags) throws LastErrorException;

    int close(int descriptor) throws LastErrorException;

    int setsockopt(int socket, int level, int name, byte[] value, int length)
        throws LastErrorException;

    int getsockopt(int socket, int level, int name, byte[] value, IntByReference length)
        throws LastErrorException;
  }
}
