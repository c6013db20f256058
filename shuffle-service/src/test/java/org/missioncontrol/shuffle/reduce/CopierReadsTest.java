/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollSocketChannel;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.missioncontrol.transport.linux.BlockingReads;

/** Copiers read the bodies of all replies from the sockets themselves. */
class CopierReadsTest extends FetchProtocolContract {
  @BeforeAll
  static void epoll() {
    assumeTrue(Epoll.isAvailable(), "needs Netty's epoll, which is Linux only");
  }

  @Override
  int copierReadsFrom() {
    return 1;
  }

  @Test
  void anEpollSocketCanBeReadByACopierHere() {
    assertThat(BlockingReads.possible(new EpollSocketChannel())).isTrue();
  }
}
