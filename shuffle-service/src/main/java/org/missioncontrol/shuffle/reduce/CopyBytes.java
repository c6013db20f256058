/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.broadcast.CompleteCopy;

/** The bytes of this host's copy of a map output. Owned by the copier. */
final class CopyBytes extends BodyBytes {
  private final InputStream file;
  private long left;
  private @Nullable IOException fault;

  CopyBytes(CompleteCopy copy) {
    this.file = copy.bytes();
    this.left = copy.header().partLength();
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (left == 0) {
      return -1;
    }
    try {
      int read = file.read(target, offset, (int) Math.min(length, left));
      if (read < 0) {
        throw new EOFException(left + " bytes short");
      }
      left -= read;
      return read;
    } catch (IOException e) {
      fault = e;
      throw e;
    }
  }

  @Override
  long drain() {
    long drained = left;
    left = 0;
    return drained;
  }

  @Override
  @Nullable IOException fault() {
    return fault;
  }
}
