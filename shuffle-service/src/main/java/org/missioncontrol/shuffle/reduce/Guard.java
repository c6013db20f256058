/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How connections to map hosts are encrypted, and how the hosts prove who they are. Thread-safe.
 */
interface Guard extends AutoCloseable {
  /** The TLS end of a new connection; null for one in clear. */
  @Nullable SslHandler newHandler(MapServer server) throws IOException;

  /**
   * Waits until the peer has proved who it is. Before that nothing may be asked of it, and nothing
   * that it says be believed.
   *
   * @param timeoutMs milliseconds without a sign of the peer; 0: no limit
   * @throws IOException if it has not
   */
  void verify(Channel channel, SslHandler tls, MapServer server, long timeoutMs)
      throws IOException, InterruptedException;

  /** Whether map outputs may not come in clear. */
  boolean required();

  @Override
  default void close() {}

  /** Waits for the end of the handshake; whether it came. */
  static boolean awaitHandshake(SslHandler tls, long timeoutMs) throws InterruptedException {
    return timeoutMs > 0
        ? tls.handshakeFuture().await(timeoutMs, TimeUnit.MILLISECONDS)
        : tls.handshakeFuture().await().isDone();
  }
}
