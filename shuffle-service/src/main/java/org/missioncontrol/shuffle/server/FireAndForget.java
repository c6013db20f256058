/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import io.netty.channel.ChannelHandlerContext;

/** Channel operations whose outcome a later one on the same channel shows. Immutable. */
@SuppressWarnings("FutureReturnValueIgnored")
final class FireAndForget {
  private FireAndForget() {}

  static void close(ChannelHandlerContext ctx) {
    ctx.close();
  }

  /** A failure also fails whatever is written after. */
  static void write(ChannelHandlerContext ctx, Object message) {
    ctx.write(message);
  }
}
