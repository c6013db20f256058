/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.missioncontrol.conf.ThrottleConfig;
import org.missioncontrol.shuffle.door.DoorCodec;
import org.missioncontrol.transport.linux.DomainSockets;

/** The Unix domain socket at which tasks ask for flows. Thread-safe. */
final class Door implements Closeable {
  private final DoorPlace place;
  private final Channel server;

  private Door(DoorPlace place, Channel server) {
    this.place = place;
    this.server = server;
  }

  /** Opens it, then tells the tasks where it is. Blocks; not to be called on an event loop. */
  static Door open(
      ThrottleConfig config, Path temporary, EventLoop loop, Greeted greeted, Refusals refusals)
      throws IOException {
    DoorPlace place = DoorPlace.prepare(config, temporary);
    Channel server = null;
    try {
      server =
          new ServerBootstrap()
              .group(loop)
              .channel(DomainSockets.serverChannel())
              .childHandler(
                  new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                      DoorCodec.addTo(channel.pipeline());
                      channel.pipeline().addLast(new DoorGreeter(greeted, refusals));
                    }
                  })
              .bind(DomainSockets.address(place.socket()))
              .syncUninterruptibly()
              .channel();
      place.publish();
      return new Door(place, server);
    } catch (Exception e) {
      if (server != null) {
        server.close().awaitUninterruptibly();
      }
      place.remove();
      throw new IOException("no door at " + place.socket() + ": " + e.getMessage(), e);
    }
  }

  Path socket() {
    return place.socket();
  }

  /** Closes it to newcomers and removes every trace. Blocks. */
  @Override
  public void close() throws IOException {
    server.close().awaitUninterruptibly();
    place.remove();
  }
}
