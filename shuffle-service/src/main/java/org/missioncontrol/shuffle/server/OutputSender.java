/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import java.util.function.LongConsumer;
import org.missioncontrol.shuffle.store.MapOutput;

/** A way to send the bytes of a file. Event-loop confined. */
@FunctionalInterface
interface OutputSender {
  /**
   * Writes all of {@code output}, without closing it, and flushes.
   *
   * @param progress takes the bytes that have newly gone out, on the event loop, each byte once
   * @return done when the last byte is out; failed, and the body therefore incomplete, when one
   *     cannot be had or sent
   */
  ChannelFuture send(ChannelHandlerContext ctx, MapOutput output, LongConsumer progress);
}
