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
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.transport.MptcpLimits;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the kernel's MPTCP path manager for limits and endpoints, in the network namespace of this
 * process, over generic netlink (netlink(7), linux/genetlink.h, linux/mptcp.h). Needs no privilege.
 * Thread-safe.
 */
final class PathManager {
  private static final Logger LOG = LoggerFactory.getLogger(PathManager.class);
  private static final int AF_NETLINK = 16;
  private static final int SOCK_RAW_CLOEXEC = 3 | 02000000;
  private static final int NETLINK_GENERIC = 16;

  private static final int GENL_ID_CTRL = 16;
  private static final int CTRL_CMD_GETFAMILY = 3;
  private static final int CTRL_ATTR_FAMILY_ID = 1;
  private static final int CTRL_ATTR_FAMILY_NAME = 2;

  private static final int GET_ADDR = 3;
  private static final int GET_LIMITS = 6;
  private static final int ATTR_ADDR = 1;
  private static final int ATTR_RCV_ADD_ADDRS = 2;
  private static final int ATTR_SUBFLOWS = 3;
  private static final int ADDR_ATTR_FLAGS = 6;
  private static final int FLAG_SIGNAL = 1;
  private static final int FLAG_SUBFLOW = 2;

  private static final int NLMSG_ERROR = 2;
  private static final int NLMSG_DONE = 3;
  private static final int NLM_F_REQUEST = 1;
  private static final int NLM_F_DUMP = 0x300;
  private static final int HEADER = 16;
  private static final int GENERIC_HEADER = 4;
  private static final int ATTRIBUTE_HEADER = 4;

  /** NLA_TYPE_MASK: without the bits that say nested and big-endian. */
  private static final int ATTRIBUTE_TYPE = 0x3fff;

  /** The kernel fills no more of a dump into one datagram. */
  private static final int BUFFER = 32 << 10;

  private final int socket;
  private int family = GENL_ID_CTRL;
  private int limitSubflows;
  private int limitAddAddr;
  private int subflowEndpoints;
  private int signalEndpoints;

  private PathManager(int socket) {
    this.socket = socket;
  }

  /** Null where it does not tell. */
  static @Nullable MptcpLimits read() {
    try {
      int socket = LibC.IT.socket(AF_NETLINK, SOCK_RAW_CLOEXEC, NETLINK_GENERIC);
      try {
        return new PathManager(socket).ask();
      } finally {
        LibC.IT.close(socket);
      }
    } catch (IOException | LastErrorException | LinkageError e) {
      LOG.info("the limits of MPTCP are not known here: {}", e.toString());
      return null;
    }
  }

  private MptcpLimits ask() throws IOException {
    exchange(request(GENL_ID_CTRL, NLM_F_REQUEST, CTRL_CMD_GETFAMILY, "mptcp_pm"), this::family);
    if (family == GENL_ID_CTRL) {
      throw new IOException("the kernel has no netlink family mptcp_pm");
    }
    exchange(request(family, NLM_F_REQUEST, GET_LIMITS, null), this::limit);
    exchange(request(family, NLM_F_REQUEST | NLM_F_DUMP, GET_ADDR, null), this::endpoint);
    return new MptcpLimits(limitSubflows, limitAddAddr, subflowEndpoints, signalEndpoints);
  }

  private void family(int type, ByteBuffer value) {
    if (type == CTRL_ATTR_FAMILY_ID) {
      family = Short.toUnsignedInt(value.getShort());
    }
  }

  private void limit(int type, ByteBuffer value) {
    if (type == ATTR_SUBFLOWS) {
      limitSubflows = value.getInt();
    } else if (type == ATTR_RCV_ADD_ADDRS) {
      limitAddAddr = value.getInt();
    }
  }

  private void endpoint(int type, ByteBuffer value) {
    if (type == ATTR_ADDR) {
      attributes(
          value,
          (part, flags) -> {
            if (part == ADDR_ATTR_FLAGS) {
              int all = flags.getInt();
              subflowEndpoints += (all & FLAG_SUBFLOW) == 0 ? 0 : 1;
              signalEndpoints += (all & FLAG_SIGNAL) == 0 ? 0 : 1;
            }
          });
    }
  }

  /** One request, with a name as its only attribute or none. */
  private static byte[] request(int type, int flags, int command, @Nullable String name) {
    byte[] text = name == null ? new byte[0] : (name + '\0').getBytes(StandardCharsets.US_ASCII);
    int attribute = name == null ? 0 : ATTRIBUTE_HEADER + text.length;
    int length = HEADER + GENERIC_HEADER + attribute;
    ByteBuffer message = ByteBuffer.allocate(aligned(length)).order(ByteOrder.nativeOrder());
    message.putInt(length).putShort((short) type).putShort((short) flags).putInt(1).putInt(0);
    message.put((byte) command).put((byte) 1).putShort((short) 0);
    if (name != null) {
      message.putShort((short) attribute).putShort((short) CTRL_ATTR_FAMILY_NAME).put(text);
    }
    return message.array();
  }

  private void exchange(byte[] request, BiConsumer<Integer, ByteBuffer> attribute)
      throws IOException {
    boolean dump =
        (ByteBuffer.wrap(request).order(ByteOrder.nativeOrder()).getShort(6) & NLM_F_DUMP) != 0;
    LibC.IT.send(socket, request, request.length, 0);
    byte[] buffer = new byte[BUFFER];
    boolean more;
    do {
      long length = LibC.IT.recv(socket, buffer, buffer.length, 0);
      more = take(ByteBuffer.wrap(buffer, 0, (int) length), attribute) && dump;
    } while (more);
  }

  /**
   * Reads one datagram of the kernel.
   *
   * @return whether another one may follow in a dump
   */
  static boolean take(ByteBuffer datagram, BiConsumer<Integer, ByteBuffer> attribute)
      throws IOException {
    ByteBuffer rest = datagram.order(ByteOrder.nativeOrder());
    try {
      while (rest.remaining() >= HEADER) {
        int begin = rest.position();
        int length = rest.getInt();
        int type = Short.toUnsignedInt(rest.getShort());
        if (type == NLMSG_DONE) {
          return false;
        }
        if (type == NLMSG_ERROR) {
          throw new IOException("netlink error " + -rest.getInt(begin + HEADER));
        }
        int body = begin + HEADER + GENERIC_HEADER;
        attributes(
            rest.duplicate()
                .order(ByteOrder.nativeOrder())
                .limit(begin + length)
                .position(body)
                .slice()
                .order(ByteOrder.nativeOrder()),
            attribute);
        rest.position(Math.min(rest.limit(), begin + aligned(length)));
      }
      return true;
    } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new IOException("the kernel's netlink message is not as documented: " + e, e);
    }
  }

  private static void attributes(ByteBuffer all, BiConsumer<Integer, ByteBuffer> attribute) {
    while (all.remaining() >= ATTRIBUTE_HEADER) {
      int begin = all.position();
      int length = Short.toUnsignedInt(all.getShort());
      int type = Short.toUnsignedInt(all.getShort()) & ATTRIBUTE_TYPE;
      attribute.accept(
          type,
          all.slice(begin + ATTRIBUTE_HEADER, length - ATTRIBUTE_HEADER)
              .order(ByteOrder.nativeOrder()));
      all.position(Math.min(all.limit(), begin + aligned(length)));
    }
  }

  private static int aligned(int length) {
    return (length + 3) & ~3;
  }

  /** Thread-safe. */
  private interface LibC extends Library {
    LibC IT = Native.load("c", LibC.class);

    int socket(int domain, int type, int protocol) throws LastErrorException;

    long send(int socket, byte[] bytes, long length, int flags) throws LastErrorException;

    long recv(int socket, byte[] bytes, long length, int flags) throws LastErrorException;

    int close(int descriptor) throws LastErrorException;
  }
}
