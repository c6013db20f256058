/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.ssl.SslHandler;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.conf.ServerConfig;
import org.missioncontrol.scheduler.control.ControlProtocol;
import org.missioncontrol.scheduler.security.JobSecrets;
import org.missioncontrol.shuffle.store.PageCache;
import org.missioncontrol.transport.Channels;

/** Equips each accepted connection. Thread-safe. */
final class ServerPipeline extends ChannelInitializer<Channel> {
  /** Clients that speak TLS begin at once; the others are to hear of a refusal soon. */
  private static final long TLS_PATIENCE_MS = 3000;

  private final Parts parts;
  private final AtomicInteger open = new AtomicInteger();

  ServerPipeline(Parts parts) {
    this.parts = parts;
  }

  @Override
  protected void initChannel(Channel channel) throws Exception {
    parts.channels().accepted(channel);
    ConnectionState state = new ConnectionState();
    parts.connections().add(channel, state);
    ServerConfig config = parts.config();
    ServerEvents events = parts.events();
    ChannelPipeline pipeline = channel.pipeline();
    if (parts.tls() != null) {
      state.encrypts();
      pipeline.addLast(new SslHandler(parts.tls().newEngine()));
    } else if (parts.key() != null) {
      pipeline.addLast(new TlsDetector(parts.key(), state, events));
    }
    pipeline
        .addLast(new HttpServerCodec())
        .addLast(new HttpObjectAggregator(ControlProtocol.MAX_BODY_BYTES))
        .addLast(
            new ConnectionLimit(
                config.maxConnections(), open, parts.key() == null ? 0 : TLS_PATIENCE_MS, events))
        .addLast(new RequestQueue())
        .addLast(new Timeouts(config.idleTimeoutMs(), config.stallTimeoutMs(), events))
        .addLast(new ProofHandler(parts.secrets(), parts.key(), state, config.idleTimeoutMs()))
        .addLast(
            new ControlHandler(
                parts.control(), parts.controlThreads(), events, config.idleTimeoutMs()))
        .addLast(new RequestDecoder())
        .addLast(new Authenticator(parts.secrets(), parts.port(), state, events))
        .addLast(new TransportSetter(parts.channels(), state, events))
        .addLast(new Resolver(parts.preparer(), parts.disk()))
        .addLast(
            new ReplyWriter(
                config,
                parts.preparer(),
                sender(state),
                parts.pageCache(),
                parts.disk(),
                state,
                events))
        .addLast(new ErrorReplies(state, events));
  }

  private OutputSender sender(ConnectionState state) {
    OutputSender encrypted = new ChunkSender(parts.disk(), parts.config().sslFileBufferBytes());
    if (parts.tls() != null) {
      return encrypted;
    }
    OutputSender clear = clearSender();
    return (ctx, output, progress) ->
        (state.encrypted() ? encrypted : clear).send(ctx, output, progress);
  }

  private OutputSender clearSender() {
    return parts.config().transferToAllowed()
        ? new RegionSender(parts.pageCache())
        : new ChunkSender(parts.disk(), parts.config().transferBufferBytes());
  }

  /**
   * What the handlers of all connections share. Immutable.
   *
   * @param port that a client computed its hash with
   * @param tls HTTPS with certificates, which all connections have then; null for none
   * @param key for clients that begin with TLS on a port that speaks plain HTTP; null for none
   */
  record Parts(
      ServerConfig config,
      Channels channels,
      JobSecrets secrets,
      ReplyPreparer preparer,
      PageCache pageCache,
      ControlEndpoint control,
      ServerEvents events,
      Connections connections,
      Executor disk,
      Executor controlThreads,
      ToIntFunction<Channel> port,
      @Nullable TlsEngines tls,
      @Nullable NodeKey key) {}
}
