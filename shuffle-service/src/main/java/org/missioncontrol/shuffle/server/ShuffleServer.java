/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.conf.ServerConfig;
import org.missioncontrol.scheduler.security.JobSecrets;
import org.missioncontrol.shuffle.store.MapOutputStore;
import org.missioncontrol.shuffle.store.PageCache;
import org.missioncontrol.transport.Channels;

/**
 * The shuffle's HTTP server: the stock protocol for stock clients and Tez, {@link
 * org.missioncontrol.shuffle.wire.ShuffleExtension} for ours, and the control messages.
 * Thread-safe.
 */
public final class ShuffleServer implements AutoCloseable {
  /** Most files that all connections together hold open ahead of their turn. */
  private static final int MAX_OPEN_AHEAD = 2048;

  /** Most bytes of small outputs that all replies hold beyond what each may. */
  private static final int MAX_SMALL_BYTES = 16 << 20;

  private static final int CONTROL_THREADS = 2;
  private static final long STOP_SECONDS = 5;

  private final Channels channels;
  private final Connections connections = new Connections();
  private final ExecutorService disk;
  private final ExecutorService control;
  private final EventLoopGroup acceptor;
  private final EventLoopGroup workers;
  private @Nullable Channel listener;
  private int port;

  private ShuffleServer(ServerConfig config, Channels channels) {
    this.channels = channels;
    int cores = Runtime.getRuntime().availableProcessors();
    int diskThreads = config.diskThreads() > 0 ? config.diskThreads() : 2 * cores;
    disk = ServerThreads.pool(diskThreads, "shuffle-disk");
    control = ServerThreads.pool(CONTROL_THREADS, "shuffle-control");
    acceptor = channels.newEventLoopGroup(1, "shuffle-accept");
    workers = channels.newEventLoopGroup(config.threads(), "shuffle-serve");
  }

  /**
   * Binds the wildcard address and serves; nothing is left behind when it throws.
   *
   * @param tls null for plain HTTP, beside which the port takes TLS without certificates
   * @throws IOException if the port cannot be bound
   */
  public static ShuffleServer start(
      ServerConfig config,
      Channels channels,
      JobSecrets secrets,
      MapOutputStore store,
      ControlEndpoint control,
      ServerEvents events,
      @Nullable TlsEngines tls)
      throws IOException {
    ShuffleServer server = new ShuffleServer(config, channels);
    PageCache pageCache = PageCache.of(config);
    ServerPipeline.Parts parts =
        new ServerPipeline.Parts(
            config,
            channels,
            secrets,
            new ReplyPreparer(
                store, pageCache, events, MAX_OPEN_AHEAD, new SmallBytes(MAX_SMALL_BYTES)),
            pageCache,
            control,
            events,
            server.connections,
            server.disk,
            server.control,
            channel -> ((InetSocketAddress) channel.localAddress()).getPort(),
            tls,
            tls == null ? NodeKey.generate() : null);
    try {
      server.bind(config, new ServerPipeline(parts));
      return server;
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private void bind(ServerConfig config, ServerPipeline pipeline) throws IOException {
    ChannelFuture bound =
        new ServerBootstrap()
            .group(acceptor, workers)
            .channelFactory(channels::newListener)
            .option(ChannelOption.SO_BACKLOG, config.listenQueue())
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childHandler(pipeline)
            .bind(new InetSocketAddress(config.port()))
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IOException("the shuffle server cannot bind port " + config.port(), bound.cause());
    }
    channels.listen(bound.channel());
    listener = bound.channel();
    port = ((InetSocketAddress) listener.localAddress()).getPort();
  }

  /** The port that is bound. */
  public int port() {
    return port;
  }

  /** The connections that fetch or fetched map outputs and are still open, 1000 at most. */
  public List<ServedConnection> served() {
    return connections.served(channels);
  }

  /** Stops listening, closes every connection and waits for the server's threads. Idempotent. */
  @Override
  public void close() {
    if (listener != null) {
      listener.close().awaitUninterruptibly(TimeUnit.SECONDS.toMillis(STOP_SECONDS));
    }
    acceptor.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
    connections.close();
    ServerThreads.stop(control, "control");
    ServerThreads.stop(disk, "disk");
    workers.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
