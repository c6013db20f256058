/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** Takes connections of MPTCP and TCP and says nothing on them. Thread-safe. */
final class MultipathPeer implements AutoCloseable {
  private final EventLoopGroup group = Node.CHANNELS.newEventLoopGroup(1, "peer");
  private final Channel listener;

  MultipathPeer() throws InterruptedException {
    listener =
        new ServerBootstrap()
            .group(group)
            .channelFactory(Node.CHANNELS::newListener)
            .childHandler(new ChannelInboundHandlerAdapter())
            .bind(new InetSocketAddress("127.0.0.1", 0))
            .sync()
            .channel();
  }

  int port() {
    return ((InetSocketAddress) listener.localAddress()).getPort();
  }

  @Override
  public void close() throws InterruptedException {
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
  }
}
