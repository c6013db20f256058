/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.missioncontrol.scheduler.control.ControlReply;

/** A control message whose answer waits for news. */
class ControlHandlerTest {
  private static final long IDLE_MS = 1000;

  private final CompletableFuture<ControlReply> answer = new CompletableFuture<>();
  private final Queue<Runnable> work = new ArrayDeque<>();
  private final Counts counts = new Counts();
  private final EmbeddedChannel channel =
      new EmbeddedChannel(
          new Timeouts(IDLE_MS, IDLE_MS, counts),
          new ControlHandler(request -> answer, work::add, counts, IDLE_MS));

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  @Test
  void theAnswerIsSentWhenItComesHoweverLongThatTakes() {
    channel.freezeTime();
    ask();
    for (int i = 0; i < 100; i++) {
      channel.advanceTimeBy(IDLE_MS, TimeUnit.MILLISECONDS);
      channel.runScheduledPendingTasks();
    }
    assertThat(channel.isOpen()).isTrue();
    assertThat(channel.<Object>readOutbound()).isNull();
    answer.complete(new ControlReply(200, "news", "signature"));
    channel.runPendingTasks();
    FullHttpResponse reply = channel.readOutbound();
    assertThat(reply.content().toString(StandardCharsets.UTF_8)).isEqualTo("news");
    reply.release();
    assertThat(counts.of(ServerCounter.IDLE_TIMEOUTS)).isZero();
  }

  @Test
  void aClientThatGoesFreesItsPlace() {
    ask();
    channel.close();
    channel.runPendingTasks();
    assertThat(answer).isCancelled();
  }

  @Test
  void aClientThatIsGoneBeforeTheMessageIsHandledFreesItsPlaceToo() {
    channel.writeInbound(request());
    channel.close();
    work.remove().run();
    channel.runPendingTasks();
    assertThat(answer).isCancelled();
  }

  @Test
  void aFailureIsAnsweredWithoutItsText() {
    ask();
    answer.completeExceptionally(new IllegalStateException("inner matter"));
    channel.runPendingTasks();
    FullHttpResponse reply = channel.readOutbound();
    assertThat(reply.status().code()).isEqualTo(500);
    assertThat(reply.content().toString(StandardCharsets.UTF_8)).doesNotContain("inner matter");
    reply.release();
  }

  private void ask() {
    channel.writeInbound(request());
    work.remove().run();
    channel.runPendingTasks();
  }

  private static DefaultFullHttpRequest request() {
    return new DefaultFullHttpRequest(
        HttpVersion.HTTP_1_1, HttpMethod.PUT, "/missionControl/v1/transfer", Unpooled.EMPTY_BUFFER);
  }
}
