/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport.linux;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.socket.SocketChannelConfig;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * Keeps Netty from reading a connection that is to be passed on. No automatic reads is not enough:
 * when the peer has closed (EPOLLRDHUP), Netty drains the socket all the same. So there is no
 * buffer to read into, and the half-closed connection stays open. Event-loop confined.
 */
final class Unread extends ChannelInboundHandlerAdapter {
  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    Channel channel = context.channel();
    channel.config().setAutoRead(false);
    channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
    if (channel.config() instanceof SocketChannelConfig config) {
      config.setRecvByteBufAllocator(NoBuffer::new);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    // Whatever is wrong with the connection, its new owner sees it when it reads.
    if (!(cause instanceof NotToBeRead)) {
      context.fireExceptionCaught(cause);
    }
  }

  private static final class NotToBeRead extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    NotToBeRead() {
      super("this connection is passed on and not read here");
    }
  }

  private static final class NoBuffer implements RecvByteBufAllocator.ExtendedHandle {
    @Override
    public ByteBuf allocate(ByteBufAllocator allocator) {
      throw new NotToBeRead();
    }

    @Override
    public int guess() {
      return 1;
    }

    @Override
    public void reset(ChannelConfig config) {}

    @Override
    public void incMessagesRead(int messages) {}

    @Override
    public void lastBytesRead(int bytes) {}

    @Override
    public int lastBytesRead() {
      return 0;
    }

    @Override
    public void attemptedBytesRead(int bytes) {}

    @Override
    public int attemptedBytesRead() {
      return 0;
    }

    @Override
    public boolean continueReading() {
      return false;
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier maybeMoreData) {
      return false;
    }

    @Override
    public void readComplete() {}
  }
}
