/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.wire.MapOutputHeader;

/** What a reply is made of, in this order: head, then output and its bytes in turn, then end. */
sealed interface Reply {
  /**
   * The head of a reply that passed every check.
   *
   * @param keepAlive whether the connection can be used again
   * @param extended whether the server speaks our extension
   * @param bodyLength bytes that follow, or -1 if the reply ends with the connection
   * @param transportRefusal why the server does not use the transport asked for, or null
   */
  record Head(
      boolean keepAlive, boolean extended, long bodyLength, @Nullable String transportRefusal)
      implements Reply {
    /** Whether the next request may be sent before this reply has ended: ours answer in turn. */
    boolean allowsNext() {
      return keepAlive && extended && bodyLength >= 0;
    }
  }

  /** An output begins, or is refused by name. */
  record Output(MapAttempt attempt, MapOutputHeader header) implements Reply {}

  /** Bytes of the output that began last; the taker releases them. */
  record Bytes(ByteBuf data) implements Reply {}

  /** The copier reads the rest of the reply itself; the taker closes it. */
  record Rest(SocketBody body) implements Reply {}

  /** The reply is complete. */
  record End() implements Reply {}
}
