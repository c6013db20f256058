/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.missioncontrol.conf.ServerConfig;
import org.missioncontrol.scheduler.control.ControlReply;
import org.missioncontrol.scheduler.security.JobSecrets;
import org.missioncontrol.shuffle.store.MapOutputStore;
import org.missioncontrol.shuffle.store.PageCache;
import org.missioncontrol.transport.Channels;

/** Our server's pipeline behind a proxy, whose port the clients' hashes cover, for tests. */
public final class ProxiedServer implements AutoCloseable {
  /** For the small outputs of all replies beyond what each may have. */
  static final int SMALL_BYTES = 4 * SmallBytes.STEP;

  private final EventLoopGroup loops;
  private final ExecutorService threads = ServerThreads.pool(2, "test-disk");
  private final SmallBytes smallBytes = new SmallBytes(SMALL_BYTES);
  private final Channel listener;

  /**
   * @param port that the clients know
   */
  public ProxiedServer(
      ServerConfig config, JobSecrets secrets, MapOutputStore store, ServerEvents events, int port)
      throws InterruptedException {
    Channels channels = Channels.detect();
    loops = channels.newEventLoopGroup(2, "test-server");
    ServerPipeline.Parts parts =
        new ServerPipeline.Parts(
            config,
            channels,
            secrets,
            new ReplyPreparer(store, PageCache.of(config), events, 100, smallBytes),
            PageCache.of(config),
            request -> CompletableFuture.completedFuture(new ControlReply(200, "{}", null)),
            events,
            new Connections(),
            threads,
            threads,
            channel -> port,
            null,
            NodeKey.generate());
    listener =
        new ServerBootstrap()
            .group(loops)
            .channelFactory(channels::newListener)
            .childHandler(new ServerPipeline(parts))
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .sync()
            .channel();
  }

  /** The port that is bound. */
  public int port() {
    return ((InetSocketAddress) listener.localAddress()).getPort();
  }

  int freeSmallBytes() {
    return smallBytes.free();
  }

  @Override
  public void close() {
    listener.close().awaitUninterruptibly();
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    ServerThreads.stop(threads, "test");
  }
}
