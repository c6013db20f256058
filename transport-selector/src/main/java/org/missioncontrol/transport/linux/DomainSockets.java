/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport.linux;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollMode;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.DomainSocketReadMode;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Unix domain sockets, unix(7). To be used where there is epoll only. Immutable. */
public final class DomainSockets {
  /** The field sun_path has 108 bytes, the last of which is NUL. */
  private static final int MAX_PATH_BYTES = 107;

  private DomainSockets() {}

  public static Class<? extends ServerChannel> serverChannel() {
    return EpollServerDomainSocketChannel.class;
  }

  public static Class<? extends Channel> clientChannel() {
    return EpollDomainSocketChannel.class;
  }

  /** Whether a socket can have this path. */
  public static boolean fits(Path path) {
    return path.toString().getBytes(StandardCharsets.UTF_8).length <= MAX_PATH_BYTES;
  }

  public static SocketAddress address(Path path) {
    return new DomainSocketAddress(path.toFile());
  }

  /**
   * What connects will receive descriptors, see {@link PassedSockets}, and no bytes: a descriptor
   * that is read as bytes is lost. Edge-triggered, Netty reads one descriptor per event and leaves
   * those that came with it until the next; hence level-triggered.
   */
  public static Bootstrap receivingDescriptors(Bootstrap bootstrap) {
    return bootstrap
        .option(EpollChannelOption.DOMAIN_SOCKET_READ_MODE, DomainSocketReadMode.FILE_DESCRIPTORS)
        .option(EpollChannelOption.EPOLL_MODE, EpollMode.LEVEL_TRIGGERED);
  }

  /** The user at the other end of a connected domain socket; -1 where the kernel does not tell. */
  public static int peerUser(Channel channel) {
    try {
      return channel instanceof EpollDomainSocketChannel socket
          ? socket.peerCredentials().uid()
          : -1;
    } catch (IOException e) {
      return -1;
    }
  }
}
