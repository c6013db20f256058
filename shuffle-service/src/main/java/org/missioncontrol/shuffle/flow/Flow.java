/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.flow;

import io.netty.channel.Channel;
import java.util.concurrent.CompletableFuture;
import org.missioncontrol.transport.TransportChoice;

/** One connection, held for one batch. Thread-safe. */
public interface Flow {
  Channel channel();

  /** Whether the NodeManager granted it; false for a plain socket of our own. */
  boolean leased();

  /**
   * What is wanted for the connection and what was done at this end. The NodeManager may want
   * something else than the task asked for, and may change it with a {@link #renew renewal}; the
   * map host must be asked for the same.
   */
  TransportChoice transport();

  /** This end's congestion control as the kernel told it when the flow was opened. */
  String congestionControl();

  /**
   * Asks for one more batch on the same connection; false when the share has gone elsewhere, then
   * close it.
   */
  CompletableFuture<Boolean> renew();

  /** Closes the channel and gives the lease back. Idempotent. */
  void close();
}
