/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.missioncontrol.transport.linux.BlockingReads;

/** Copiers read the bodies of all replies from the sockets themselves, as they come in pieces. */
class CopierReadsTest extends FetchProtocolContract {
  /** The head of a reply and a bit; a header of an output is cut by some piece. */
  private static final int PIECE = 333;

  private final AtomicBoolean awaited = new AtomicBoolean();
  private final AtomicBoolean seen = new AtomicBoolean();

  @BeforeAll
  static void epoll() {
    assumeTrue(Epoll.isAvailable(), "needs Netty's epoll, which is Linux only");
  }

  @Override
  int copierReadsFrom() {
    return 1;
  }

  @Override
  MapOutputServer server(MapOutputServer.Script script) throws IOException {
    return new MapOutputServer(script, PIECE, this::betweenPieces);
  }

  private void betweenPieces() {
    if (awaited.getAndSet(false)) {
      await().atMost(Duration.ofSeconds(20)).until(CopierReadsTest::copierReads);
      seen.set(true);
    }
    Thread.yield();
  }

  private static boolean copierReads() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(thread -> thread.getKey().getName().startsWith("mission-control-copier"))
        .flatMap(thread -> Arrays.stream(thread.getValue()))
        .anyMatch(frame -> frame.getClassName().equals(BlockingReads.class.getName()));
  }

  @Test
  void allOfAReplyButItsFirstPieceIsReadByACopier() throws Exception {
    awaited.set(true);
    sortsThrough(this::good);
    assertThat(seen).isTrue();
  }
}
