/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.flow;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.nio.charset.StandardCharsets;

/** Keeps what a connection received. Thread-safe. */
public final class Received extends SimpleChannelInboundHandler<ByteBuf> {
  private final StringBuffer text = new StringBuffer();
  private volatile boolean ended;

  public String text() {
    return text.toString();
  }

  /** Whether the peer has closed. */
  public boolean ended() {
    return ended;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, ByteBuf bytes) {
    text.append(bytes.toString(StandardCharsets.US_ASCII));
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    ended = true;
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    context.close();
  }
}
