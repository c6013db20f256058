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

/** Decrypts what the socket has. */
final class TlsReads implements BodyReads {
  private final ClearReads socket;
  private final TlsRecords records;
  private final ByteBuf buffer;

  TlsReads(ClearReads socket, ByteBufAllocator alloc, TlsRecords records) {
    this.socket = socket;
    this.records = records;
    this.buffer = alloc.heapBuffer(records.plainBytes(), records.plainBytes());
  }

  @Override
  public ByteBuf buffer() {
    return buffer;
  }

  @Override
  public int read(long most, long timeoutMs) throws IOException {
    buffer.clear();
    ByteBuf cipher = socket.buffer();
    while (true) {
      // A reader before this may have left whole records.
      records.plain(buffer);
      if (buffer.isReadable()) {
        return buffer.readableBytes();
      }
      if (records.closed()) {
        return -1;
      }
      int read = socket.read(records.room(), timeoutMs);
      if (read <= 0) {
        return read;
      }
      records.take(cipher);
    }
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
