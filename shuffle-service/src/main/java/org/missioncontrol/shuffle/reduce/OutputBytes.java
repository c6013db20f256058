/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.InterruptedIOException;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.broadcast.CopyBeingMade;

/**
 * The bytes of one map output as they arrive. Owned by the copier. Closing does nothing: {@link
 * #release} does.
 */
final class OutputBytes extends BodyBytes {
  private final ReplySource replies;
  private final long readTimeoutMs;
  private final @Nullable CopyBeingMade copy;
  private long left;
  private @Nullable ByteBuf current;
  private @Nullable IOException fault;

  /**
   * @param copy hears of every byte that is read; null: there is none
   */
  OutputBytes(ReplySource replies, long length, long readTimeoutMs, @Nullable CopyBeingMade copy) {
    this.replies = replies;
    this.left = length;
    this.readTimeoutMs = readTimeoutMs;
    this.copy = copy;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (left == 0) {
      return -1;
    }
    ByteBuf data = next();
    int read = Math.min(length, data.readableBytes());
    data.readBytes(target, offset, read);
    left -= read;
    if (copy != null) {
      copy.write(target, offset, read);
    }
    if (!data.isReadable()) {
      release();
    }
    return read;
  }

  /** So that the next output can follow. */
  @Override
  long drain() throws IOException {
    long drained = left;
    while (left > 0) {
      left -= next().readableBytes();
      release();
    }
    return drained;
  }

  private ByteBuf next() throws IOException {
    if (fault != null) {
      throw fault;
    }
    if (current != null) {
      return current;
    }
    try {
      Reply item = replies.take(readTimeoutMs);
      if (item instanceof Reply.Bytes bytes) {
        current = bytes.data();
        return bytes.data();
      }
      throw new IllegalStateException(left + " bytes short of the output came " + item);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed(new InterruptedIOException("interrupted while reading a map output"));
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private IOException failed(IOException why) {
    fault = why;
    return why;
  }

  @Override
  @Nullable IOException fault() {
    return fault;
  }

  void release() {
    if (current != null) {
      current.release();
      current = null;
    }
  }
}
