/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.conf.ServerConfig;
import org.missioncontrol.scheduler.security.JobSecrets;
import org.missioncontrol.shuffle.store.MapOutputStore;
import org.missioncontrol.transport.Channels;

/**
 * The shuffle's HTTP server: the stock protocol for stock clients and Tez, {@link
 * org.missioncontrol.shuffle.wire.ShuffleExtension} for ours, and the control messages.
 * Thread-safe.
 */
public final class ShuffleServer implements AutoCloseable {
  private ShuffleServer() {}

  /**
   * Binds the wildcard address and serves; nothing is left behind when it throws.
   *
   * @param tls null for plain HTTP
   * @throws IOException if the port cannot be bound
   */
  @SuppressWarnings("unused")
  public static ShuffleServer start(
      ServerConfig config,
      Channels channels,
      JobSecrets secrets,
      MapOutputStore store,
      ControlEndpoint control,
      ServerEvents events,
      @Nullable TlsEngines tls)
      throws IOException {
    if (config.port() >= 0) {
      throw new IOException("not built yet");
    }
    return new ShuffleServer();
  }

  /** The port that is bound. */
  public int port() {
    return 0;
  }

  /** The connections that fetch or fetched map outputs and are still open, 1000 at most. */
  public List<ServedConnection> served() {
    return List.of();
  }

  /** Stops listening, closes every connection and waits for the server's threads. Idempotent. */
  @Override
  public void close() {}
}
