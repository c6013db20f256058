/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TimeoutsTest {
  private static final long IDLE_MS = 10_000;
  private static final long STALL_MS = 8_000;

  private final Counts counts = new Counts();
  private final SlowChannel channel = new SlowChannel(new Timeouts(IDLE_MS, STALL_MS, counts));

  @AfterEach
  void finish() {
    channel.finishAndReleaseAll();
  }

  @Test
  void aClientThatNeverAsksIsClosed() {
    advance(IDLE_MS - 1000);
    assertThat(channel.isOpen()).isTrue();
    advance(1000);
    assertThat(channel.isOpen()).isFalse();
    assertThat(counts.of(ServerCounter.IDLE_TIMEOUTS)).isEqualTo(1);
  }

  @Test
  void aClientThatWaitsForItsReplyIsNotIdle() {
    channel.writeInbound("request");
    advance(100 * IDLE_MS);
    assertThat(channel.isOpen()).isTrue();
  }

  @Test
  void aKeptConnectionHasTheTimeThatItsReplySaid() {
    channel.writeInbound("request");
    channel.pipeline().fireUserEventTriggered(new ReplyDone(3 * IDLE_MS));
    advance(3 * IDLE_MS - 1000);
    assertThat(channel.isOpen()).isTrue();
    advance(1000);
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void aClientThatTakesNoByteIsClosed() {
    channel.writeInbound("request");
    write(100);
    advance(STALL_MS - 1000);
    assertThat(channel.isOpen()).isTrue();
    advance(STALL_MS);
    assertThat(channel.isOpen()).isFalse();
    assertThat(counts.of(ServerCounter.STALL_TIMEOUTS)).isEqualTo(1);
    assertThat(counts.of(ServerCounter.IDLE_TIMEOUTS)).isZero();
  }

  @Test
  void aClientThatTakesAByteNowAndThenIsLeftAlone() {
    channel.writeInbound("request");
    write(100);
    for (int taken = 0; taken < 50; taken++) {
      advance(STALL_MS - 1000);
      channel.take(1);
      assertThat(channel.isOpen()).isTrue();
    }
  }

  private void write(int bytes) {
    channel.writeOneOutbound(Unpooled.wrappedBuffer(new byte[bytes]));
    channel.flushOutbound();
  }

  private void advance(long ms) {
    for (long passed = 0; passed < ms; passed += 500) {
      channel.advanceTimeBy(500, TimeUnit.MILLISECONDS);
      channel.runPendingTasks();
    }
  }

  /** Lets out as many bytes as the test takes. */
  private static final class SlowChannel extends EmbeddedChannel {
    private int taken;

    private SlowChannel(Timeouts timeouts) {
      super(timeouts);
      freezeTime();
    }

    private void take(int bytes) {
      taken = bytes;
      flush();
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer pending) {
      if (taken > 0) {
        pending.removeBytes(taken);
        taken = 0;
      }
    }
  }
}
