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
import java.nio.charset.StandardCharsets;
import org.missioncontrol.transport.Channels;

/** TCP_CONGESTION of tcp(7) on one socket. Immutable. */
final class CongestionControl {
  private static final int IPPROTO_TCP = 6;
  private static final int TCP_CONGESTION = 13;
  private static final int TCP_CA_NAME_MAX = 16;
  private static final RawUnixChannelOption OPTION =
      new RawUnixChannelOption("TCP_CONGESTION", IPPROTO_TCP, TCP_CONGESTION, TCP_CA_NAME_MAX);

  private CongestionControl() {}

  /**
   * @throws ChannelException with the kernel's error
   */
  static void set(Channel channel, String name) {
    // The option moves the position of the buffer, so each call needs its own.
    ByteBuffer padded = ByteBuffer.allocate(TCP_CA_NAME_MAX);
    padded.put(0, name.getBytes(StandardCharsets.US_ASCII));
    if (!channel.config().setOption(OPTION, padded)) {
      throw new ChannelException("not an epoll socket");
    }
  }

  static String read(Channel channel) {
    ByteBuffer value;
    try {
      value = channel.config().getOption(OPTION);
    } catch (ChannelException e) {
      return Channels.UNKNOWN;
    }
    if (value == null) {
      return Channels.UNKNOWN;
    }
    int end = 0;
    while (end < TCP_CA_NAME_MAX && value.get(end) != 0) {
      end++;
    }
    byte[] name = new byte[end];
    value.get(0, name);
    return end == 0 ? Channels.UNKNOWN : new String(name, StandardCharsets.US_ASCII);
  }
}
