/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import java.util.List;

/**
 * Lets one port speak HTTP in clear and in TLS: a connection whose first byte begins a TLS
 * handshake gets TLS, any other is left as it is. Event-loop confined.
 */
final class TlsDetector extends ByteToMessageDecoder {
  /** ContentType handshake (RFC 8446, 5.1), which no HTTP request begins with. */
  private static final int HANDSHAKE = 22;

  private static final long HANDSHAKE_MS = 30_000;

  private final NodeKey key;
  private final ConnectionState state;
  private final ServerEvents events;

  TlsDetector(NodeKey key, ConnectionState state, ServerEvents events) {
    this.key = key;
    this.state = state;
    this.events = events;
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    if (in.getUnsignedByte(in.readerIndex()) == HANDSHAKE) {
      state.encrypts();
      events.count(ServerCounter.TLS_CONNECTIONS, 1);
      SslHandler tls = new SslHandler(key.newEngine());
      tls.setHandshakeTimeoutMillis(HANDSHAKE_MS);
      tls.setWrapDataSize(0);
      ctx.pipeline().addAfter(ctx.name(), null, tls);
    }
    ctx.fireUserEventTriggered(new ProtocolKnown());
    // Passes on what has been read.
    ctx.pipeline().remove(this);
  }
}
