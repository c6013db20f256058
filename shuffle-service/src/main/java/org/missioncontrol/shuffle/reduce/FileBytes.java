/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import io.netty.buffer.ByteBuf;
import java.io.EOFException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.transport.linux.PassedFile;

/** The bytes of a map output of this host, from its file. Owned by the copier. */
final class FileBytes extends BodyBytes {
  private final PassedFile file;
  private final ByteBuf piece;
  private long left;
  private @Nullable IOException fault;

  /**
   * @param length bytes of the output, from where the file stands
   * @param piece holds what has been read and not been taken; stays the caller's
   */
  FileBytes(PassedFile file, long length, ByteBuf piece) {
    this.file = file;
    this.left = length;
    this.piece = piece.clear();
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (left == 0) {
      return -1;
    }
    if (!piece.isReadable()) {
      fill();
    }
    int read = Math.min(length, piece.readableBytes());
    piece.readBytes(target, offset, read);
    left -= read;
    return read;
  }

  private void fill() throws IOException {
    try {
      if (file.read(piece.clear(), (int) Math.min(piece.capacity(), left)) <= 0) {
        throw new EOFException("the file ends " + left + " bytes before the output does");
      }
    } catch (IOException e) {
      fault = e;
      throw e;
    }
  }

  @Override
  long drain() {
    long drained = left;
    left = 0;
    piece.clear();
    return drained;
  }

  @Override
  @Nullable IOException fault() {
    return fault;
  }
}
