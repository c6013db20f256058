/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import org.missioncontrol.transport.linux.BlockingReads;

/** Bytes as they are on the socket. */
final class ClearReads implements BodyReads {
  /** Bytes read at once. */
  private static final int BUFFER = 128 << 10;

  private final BlockingReads socket;
  private final ByteBuf buffer;

  ClearReads(BlockingReads socket, ByteBufAllocator alloc) {
    this.socket = socket;
    this.buffer = alloc.directBuffer(BUFFER, BUFFER);
  }

  @Override
  public ByteBuf buffer() {
    return buffer;
  }

  @Override
  public int read(long most, long timeoutMs) throws IOException {
    int room = (int) Math.min(BUFFER, most);
    int read = socket.read(buffer.clear().internalNioBuffer(0, room), timeoutMs);
    buffer.writerIndex(Math.max(0, read));
    return read;
  }

  @Override
  public void stop() {
    socket.stop();
  }

  @Override
  public void close() throws IOException {
    buffer.release();
    socket.close();
  }
}
