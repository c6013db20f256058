/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.ssl.SslHandler;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Encrypts and decrypts after the handshake, which Netty's handler has made, so that a copier can
 * go on with the engine where the event loop stopped. Event-loop confined.
 */
@SuppressWarnings("FutureReturnValueIgnored") // promises tell, and nobody waits for a closing
final class TlsHandler extends ChannelDuplexHandler {
  private static final String PROTOCOL = "TLSv1.3";

  private static final Logger LOG = LoggerFactory.getLogger(TlsHandler.class);

  private final TlsRecords records;

  private TlsHandler(SSLEngine engine) {
    this.records = new TlsRecords(engine);
  }

  /**
   * Takes the place of Netty's handler, if there is one whose handshake has ended with TLS 1.3;
   * with older versions a peer may want another handshake. Nothing may be on its way out.
   */
  static void takeOver(Channel channel) {
    SslHandler handshaken = channel.pipeline().get(SslHandler.class);
    if (handshaken != null
        && handshaken.handshakeFuture().isSuccess()
        && handshaken.engine().getSession().getProtocol().equals(PROTOCOL)) {
      channel.pipeline().replace(handshaken, null, new TlsHandler(handshaken.engine()));
    }
  }

  /** Of a channel's connection; null when it has none of this kind. */
  static @Nullable TlsRecords records(Channel channel) {
    TlsHandler handler = channel.pipeline().get(TlsHandler.class);
    return handler == null ? null : handler.records;
  }

  /** Passes on what a copier has decrypted for whoever reads next. */
  static void pass(Channel channel, ByteBuf plain) {
    channel.pipeline().context(TlsHandler.class).fireChannelRead(plain);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) throws SSLException {
    ByteBuf cipher = (ByteBuf) message;
    try {
      while (cipher.isReadable() && !records.closed()) {
        records.take(cipher);
        decrypted(ctx);
      }
    } finally {
      cipher.release();
    }
    if (records.closed()) {
      ctx.close();
    }
  }

  private void decrypted(ChannelHandlerContext ctx) throws SSLException {
    ByteBuf plain = ctx.alloc().heapBuffer(records.plainBytes());
    try {
      records.plain(plain);
      if (plain.isReadable()) {
        ctx.fireChannelRead(plain.retain());
      }
    } finally {
      plain.release();
    }
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    ByteBuf plain = (ByteBuf) message;
    ByteBuf cipher = ctx.alloc().heapBuffer();
    try {
      records.encrypt(plain, cipher);
      ctx.write(cipher.retain(), promise);
    } catch (SSLException e) {
      promise.tryFailure(e);
    } finally {
      cipher.release();
      plain.release();
    }
  }

  @Override
  public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
    ByteBuf last = ctx.alloc().heapBuffer();
    try {
      records.goodbye(last);
      ctx.writeAndFlush(last.retain());
    } catch (SSLException e) {
      LOG.debug("cannot tell {} that its connection ends", ctx.channel().remoteAddress(), e);
    } finally {
      last.release();
      ctx.close(promise);
    }
  }
}
