/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.FullHttpResponse;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ConnectionLimitTest {
  private final AtomicInteger open = new AtomicInteger(1);

  private EmbeddedChannel beyondTheLimit(long patienceMs) {
    EmbeddedChannel channel = new EmbeddedChannel();
    channel.freezeTime();
    channel.pipeline().addLast(new ConnectionLimit(1, open, patienceMs, (counter, amount) -> {}));
    channel.pipeline().fireChannelActive();
    return channel;
  }

  private static void pass(EmbeddedChannel channel, long ms) {
    channel.advanceTimeBy(ms, TimeUnit.MILLISECONDS);
    channel.runPendingTasks();
  }

  private static void refused(EmbeddedChannel channel) {
    FullHttpResponse reply = channel.readOutbound();
    assertThat(reply.status().code()).isEqualTo(429);
    reply.release();
  }

  @Test
  void whoIsRefusedHasTimeToReadItAndIsClosedThen() {
    EmbeddedChannel channel = beyondTheLimit(0);
    refused(channel);
    pass(channel, 999);
    assertThat(channel.isOpen()).isTrue();
    pass(channel, 1);
    assertThat(channel.isOpen()).isFalse();
    assertThat(open).hasValue(1);
  }

  @Test
  void whatARefusedClientStillAsksIsThrownAway() {
    EmbeddedChannel channel = beyondTheLimit(0);
    refused(channel);
    channel.writeInbound("a request");
    assertThat((Object) channel.readInbound()).isNull();
    channel.close();
    assertThat(open).hasValue(1);
  }

  @Test
  void aClientThatMaySpeakTlsIsAnsweredOnceItHasShownThat() {
    EmbeddedChannel channel = beyondTheLimit(3000);
    pass(channel, 2999);
    assertThat((Object) channel.readOutbound()).isNull();
    channel.pipeline().fireUserEventTriggered(new ProtocolKnown());
    refused(channel);
    channel.pipeline().fireUserEventTriggered(new ProtocolKnown());
    assertThat((Object) channel.readOutbound()).isNull();
    pass(channel, 1000);
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void oneThatShowsNothingIsAnsweredAtLast() {
    EmbeddedChannel channel = beyondTheLimit(3000);
    pass(channel, 3000);
    refused(channel);
    channel.pipeline().fireUserEventTriggered(new ProtocolKnown());
    assertThat((Object) channel.readOutbound()).isNull();
    assertThat(channel.isOpen()).isTrue();
    pass(channel, 1000);
    assertThat(channel.isOpen()).isFalse();
  }
}
