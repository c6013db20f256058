/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.epoll.Epoll;
import org.junit.jupiter.api.BeforeAll;

/** The same when copiers decrypt all replies. */
class EncryptedCopierReadsTest extends EncryptedFetchTest {
  @BeforeAll
  static void epoll() {
    assumeTrue(Epoll.isAvailable(), "needs Netty's epoll, which is Linux only");
  }

  @Override
  int copierReadsFrom() {
    return 1;
  }
}
