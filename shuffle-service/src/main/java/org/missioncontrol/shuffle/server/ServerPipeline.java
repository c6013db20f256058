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
  private final Parts parts;
  private final AtomicInteger open = new AtomicInteger();

  ServerPipeline(Parts parts) {
    this.parts = parts;
  }

  @Override
  protected void initChannel(Channel channel) throws Exception {
    ConnectionState state = new ConnectionState();
    parts.connections().add(channel, state);
    ServerConfig config = parts.config();
    ServerEvents events = parts.events();
    ChannelPipeline pipeline = channel.pipeline();
    if (parts.tls() != null) {
      pipeline.addLast(new SslHandler(parts.tls().newEngine()));
    }
    pipeline
        .addLast(new HttpServerCodec())
        .addLast(new HttpObjectAggregator(ControlProtocol.MAX_BODY_BYTES))
        .addLast(new ConnectionLimit(config.maxConnections(), open, events))
        .addLast(new RequestQueue())
        .addLast(new Timeouts(config.idleTimeoutMs(), config.stallTimeoutMs(), events))
        .addLast(
            new ControlHandler(
                parts.control(), parts.controlThreads(), events, config.idleTimeoutMs()))
        .addLast(new RequestDecoder())
        .addLast(new Authenticator(parts.secrets(), parts.port()))
        .addLast(new TransportSetter(parts.channels(), state, events))
        .addLast(new Resolver(parts.preparer(), parts.disk()))
        .addLast(
            new ReplyWriter(
                config, parts.preparer(), sender(), parts.pageCache(), parts.disk(), state, events))
        .addLast(new ErrorReplies(state, events));
  }

  private OutputSender sender() {
    if (parts.tls() != null) {
      return new ChunkSender(parts.disk(), parts.config().sslFileBufferBytes());
    }
    return parts.config().transferToAllowed()
        ? new RegionSender(parts.pageCache())
        : new ChunkSender(parts.disk(), parts.config().transferBufferBytes());
  }

  /**
   * What the handlers of all connections share. Immutable.
   *
   * @param port that a client computed its hash with
   * @param tls null for plain HTTP
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
      @Nullable TlsEngines tls) {}
}
