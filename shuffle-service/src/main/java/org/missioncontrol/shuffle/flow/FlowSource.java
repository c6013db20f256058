/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.flow;

import io.netty.channel.ChannelHandler;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;

/** Gives a reducer its connections. Thread-safe; no method blocks. */
public interface FlowSource extends AutoCloseable {
  /**
   * Asks for a connection to a map host. Completes on an event loop with a connected flow whose
   * channel has {@code initializer} in its pipeline, or exceptionally with a {@link FlowException}.
   * Waiting for a share may take long and is no failure. Cancelling the future withdraws the
   * request; a flow that comes too late is given back.
   *
   * @param host name and port, unresolved
   */
  CompletableFuture<Flow> request(InetSocketAddress host, ChannelHandler initializer);

  /** Map outputs of this host as open files. */
  default LocalFiles files() {
    return LocalFiles.NONE;
  }

  /**
   * Gives back every flow, withdraws every request, leaves no thread or descriptor behind.
   * Idempotent.
   */
  @Override
  void close();
}
