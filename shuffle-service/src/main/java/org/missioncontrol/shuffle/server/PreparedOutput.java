/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.store.MapOutput;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One map output of a reply, its size settled. Owned by the reply, which closes it.
 *
 * @param attempt that made it
 * @param head its headers, and its bytes too when they are few; unpooled, so it may be left to the
 *     collector
 * @param fileBytes bytes that follow from the file
 * @param bodyBytes bytes of the output, wherever they come from
 * @param failed whether the head only says why the output is not sent
 * @param file open file that holds {@code fileBytes}; null when there are none or when it is opened
 *     again at its turn
 * @param released called once when the file is closed
 */
record PreparedOutput(
    String attempt,
    ByteBuf head,
    long fileBytes,
    long bodyBytes,
    boolean failed,
    @Nullable MapOutput file,
    Runnable released)
    implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PreparedOutput.class);

  /** A failure, or an output whose bytes are all in its head. */
  static PreparedOutput inMemory(String attempt, ByteBuf head, long bodyBytes, boolean failed) {
    return new PreparedOutput(attempt, head, 0, bodyBytes, failed, null, () -> {});
  }

  /** The same with its file opened again. */
  PreparedOutput with(MapOutput opened) {
    return new PreparedOutput(attempt, head, fileBytes, bodyBytes, failed, opened, () -> {});
  }

  /** Closes the file if there is one. Called once. */
  @Override
  public void close() {
    if (file == null) {
      return;
    }
    try {
      file.close();
    } catch (IOException e) {
      LOG.debug("cannot close the output of {}", attempt, e);
    } finally {
      released.run();
    }
  }
}
