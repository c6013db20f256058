/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** A port where connections are neither made nor refused: nobody accepts, and the queue is full. */
final class BusyHost implements Closeable {
  private static final int MORE_THAN_THE_QUEUE = 8;

  private final ServerSocket server;
  private final List<SocketChannel> queue = new ArrayList<>();

  BusyHost() throws IOException {
    server = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
    for (int i = 0; i < MORE_THAN_THE_QUEUE; i++) {
      SocketChannel channel = SocketChannel.open();
      queue.add(channel);
      channel.configureBlocking(false);
      channel.connect(new InetSocketAddress(server.getInetAddress(), port()));
    }
  }

  int port() {
    return server.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (SocketChannel channel : queue) {
      channel.close();
    }
  }
}
