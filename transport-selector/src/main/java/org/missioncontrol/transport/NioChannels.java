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
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The JDK's sockets, which know nothing of congestion control. Thread-safe. */
public final class NioChannels implements Channels {
  private static final HostCapabilities CAPABILITIES =
      new HostCapabilities(false, UNKNOWN, List.of());

  private final HostTraits traits = HostTraits.probe(List.of(), null);

  @Override
  public boolean epoll() {
    return false;
  }

  @Override
  public HostCapabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public HostTraits traits() {
    return traits;
  }

  @Override
  public EventLoopGroup newEventLoopGroup(int threads, String name) {
    return new NioEventLoopGroup(threads, new DefaultThreadFactory(name, true));
  }

  @Override
  public ServerChannel newListener() {
    return new NioServerSocketChannel();
  }

  @Override
  public Channel newConnection(Transport transport) throws IOException {
    if (transport.isMultipath()) {
      throw new IOException("cannot make an MPTCP socket: this host has no epoll sockets");
    }
    return new NioSocketChannel();
  }

  @Override
  public void prepare(Transport transport, Channel channel) throws IOException {
    apply(transport, channel);
  }

  @Override
  public void listen(Channel listener) {
    // The JDK has no such option.
  }

  @Override
  public void accepted(Channel channel) {
    // It has the default.
  }

  @Override
  public boolean ecn(Channel channel) {
    return false;
  }

  @Override
  public int subflows(Channel channel) {
    return 0;
  }

  @Override
  public void apply(Transport transport, Channel channel) throws IOException {
    if (!transport.isDefault()) {
      throw new IOException(
          "cannot set transport "
              + transport.name()
              + " on "
              + channel
              + ": this host has no choice (no epoll sockets)");
    }
  }

  @Override
  public String congestionControl(Channel channel) {
    return UNKNOWN;
  }

  @Override
  public @Nullable SocketFacts facts(Channel channel) {
    return null;
  }

  @Override
  public long bytesReceived(Channel channel) {
    return -1;
  }
}
