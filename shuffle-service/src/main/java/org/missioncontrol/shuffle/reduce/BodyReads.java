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

/**
 * Plain bytes of a socket that a copier reads. Owned by the copier, which closes it; any thread may
 * {@link #stop}.
 */
interface BodyReads extends AutoCloseable {
  /** Where {@link #read} puts bytes; released by {@link #close}. */
  ByteBuf buffer();

  /**
   * Fills the buffer anew with what is there, waiting while nothing is.
   *
   * @param most bytes wanted; those that were encrypted with them come too
   * @param timeoutMs 0 waits for ever
   * @return bytes; 0 when none came in time; -1 when no more will come
   */
  int read(long most, long timeoutMs) throws IOException;

  /** Ends the connection, so that a waiting reader hears of it. Idempotent. */
  void stop();

  @Override
  void close() throws IOException;

  /** Of bytes in clear. */
  static BodyReads clear(BlockingReads socket, ByteBufAllocator alloc) {
    return new ClearReads(socket, alloc);
  }

  /** Of TLS records. */
  static BodyReads encrypted(BlockingReads socket, ByteBufAllocator alloc, TlsRecords records) {
    return new TlsReads(new ClearReads(socket, alloc), alloc, records);
  }
}
