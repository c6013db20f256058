/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HostNamesTest {
  @Test
  void resolvesLocalhostAndFailsWithTheNameForOneThatIsNot() throws Exception {
    EventLoopGroup group = Channels.detect().newEventLoopGroup(1, "test");
    try (HostNames names = new HostNames(1, "names")) {
      EventLoop loop = group.next();
      Future<InetSocketAddress> known =
          names.getResolver(loop).resolve(InetSocketAddress.createUnresolved("localhost", 7));
      assertThat(known.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(known.getNow().getAddress().isLoopbackAddress()).isTrue();
      Future<InetSocketAddress> unknown =
          names.getResolver(loop).resolve(InetSocketAddress.createUnresolved("no.such.invalid", 7));
      assertThat(unknown.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(unknown.cause()).hasMessageContaining("no.such.invalid");
    } finally {
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }
  }
}
