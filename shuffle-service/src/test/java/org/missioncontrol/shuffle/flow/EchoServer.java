/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.flow;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Answers each connection on a thread of its own, by default with what it gets. Thread-safe. */
public final class EchoServer implements Closeable {
  /** What is done with a connection; it is closed afterwards. */
  @FunctionalInterface
  public interface Service {
    void serve(Socket socket) throws IOException;
  }

  private final ServerSocket server;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  public EchoServer() throws IOException {
    this(socket -> socket.getInputStream().transferTo(socket.getOutputStream()));
  }

  public EchoServer(Service service) throws IOException {
    server = new ServerSocket(0, 1000, InetAddress.getByName("127.0.0.1"));
    start(() -> accept(service));
  }

  /** Unresolved. */
  public InetSocketAddress address() {
    return InetSocketAddress.createUnresolved("127.0.0.1", server.getLocalPort());
  }

  /** Connections whose client has not gone. */
  public int open() {
    return open.size();
  }

  private void accept(Service service) {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        open.add(socket);
        start(() -> serve(service, socket));
      } catch (IOException e) {
        if (!server.isClosed()) {
          throw new java.io.UncheckedIOException(e);
        }
      }
    }
  }

  private void serve(Service service, Socket socket) {
    try (socket) {
      service.serve(socket);
    } catch (IOException e) {
      // The client cut the connection, which is its right.
      assert socket != null;
    } finally {
      open.remove(socket);
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "echo-server");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}
