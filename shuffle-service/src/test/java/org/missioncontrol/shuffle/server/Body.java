/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import org.apache.hadoop.io.WritableUtils;
import org.missioncontrol.shuffle.wire.MapOutputHeader;

/** Reads a reply's body piece by piece. */
final class Body {
  private final ByteBuf bytes;

  Body(byte[] bytes) {
    this.bytes = Unpooled.wrappedBuffer(bytes);
  }

  MapOutputHeader header() throws IOException {
    return MapOutputHeader.decode(bytes);
  }

  int count() throws IOException {
    try (ByteBufInputStream in = new ByteBufInputStream(bytes)) {
      return WritableUtils.readVInt(in);
    }
  }

  byte[] bytes(int length) {
    byte[] read = new byte[length];
    bytes.readBytes(read);
    return read;
  }

  boolean isRead() {
    return !bytes.isReadable();
  }
}
