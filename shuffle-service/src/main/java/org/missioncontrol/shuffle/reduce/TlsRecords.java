/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The records of one TLS 1.3 connection after its handshake (RFC 8446, 5), in arrays: Java's
 * AES-GCM is a third slower on memory outside its heap. What comes late of the handshake, session
 * tickets and key updates, stays within the engine. Decrypting is owned by whoever reads the
 * connection, the event loop or a copier, one after the other; encrypting by the event loop, which
 * may do it meanwhile: the engine does one at a time.
 */
final class TlsRecords {
  /** Bytes taken in at once. */
  private static final int INTAKE = 128 << 10;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final SSLEngine engine;
  private @Nullable ByteBuffer taken;
  private boolean closed;

  /**
   * @param engine whose handshake has ended
   */
  TlsRecords(SSLEngine engine) {
    this.engine = engine;
  }

  /** Bytes that {@link #plain} has room for whatever is taken in. */
  int plainBytes() {
    return INTAKE + engine.getSession().getPacketBufferSize();
  }

  /** Bytes that can be taken in before some are decrypted. */
  int room() {
    return taken == null ? plainBytes() : taken.remaining();
  }

  /** Takes in of {@code cipher} what there is room for. */
  void take(ByteBuf cipher) {
    ByteBuffer into = taken;
    if (into == null) {
      into = ByteBuffer.allocate(plainBytes());
      taken = into;
    }
    into.limit(into.position() + Math.min(into.remaining(), cipher.readableBytes()));
    cipher.readBytes(into);
    into.limit(into.capacity());
  }

  /**
   * Decrypts the records that are complete.
   *
   * @param plain takes them at its writer index, by its array
   * @throws SSLException if a record is not as the peer sent it, or is too long to be one
   */
  void plain(ByteBuf plain) throws SSLException {
    ByteBuffer cipher = taken;
    if (cipher == null || closed) {
      return;
    }
    ByteBuffer into = plain.nioBuffer(plain.writerIndex(), plain.writableBytes());
    int start = into.position();
    cipher.flip();
    boolean more = true;
    while (more && cipher.hasRemaining()) {
      SSLEngineResult result = engine.unwrap(cipher, into);
      runTasks(result.getHandshakeStatus());
      closed = result.getStatus() == Status.CLOSED;
      more = result.getStatus() == Status.OK && result.bytesConsumed() > 0;
    }
    cipher.compact();
    if (!cipher.hasRemaining()) {
      throw new SSLException("a TLS record is longer than " + cipher.capacity() + " bytes");
    }
    plain.writerIndex(plain.writerIndex() + into.position() - start);
  }

  /** Whether the peer has said that nothing more comes. */
  boolean closed() {
    return closed;
  }

  /** Encrypts all of {@code plain}; {@code cipher} grows as needed. */
  void encrypt(ByteBuf plain, ByteBuf cipher) throws SSLException {
    ByteBuffer from = plain.nioBuffer();
    while (from.hasRemaining()) {
      if (wrap(from, cipher) != Status.OK) {
        throw new SSLException("the TLS connection is closed");
      }
    }
    plain.skipBytes(plain.readableBytes());
  }

  /** What tells the peer that nothing more comes. */
  void goodbye(ByteBuf cipher) throws SSLException {
    engine.closeOutbound();
    while (!engine.isOutboundDone() && wrap(NOTHING, cipher) == Status.OK) {
      // A key update may come before it.
    }
  }

  private Status wrap(ByteBuffer from, ByteBuf cipher) throws SSLException {
    cipher.ensureWritable(engine.getSession().getPacketBufferSize());
    ByteBuffer into = cipher.nioBuffer(cipher.writerIndex(), cipher.writableBytes());
    int start = into.position();
    SSLEngineResult result = engine.wrap(from, into);
    runTasks(result.getHandshakeStatus());
    cipher.writerIndex(cipher.writerIndex() + into.position() - start);
    return result.getStatus();
  }

  private void runTasks(HandshakeStatus status) {
    if (status == HandshakeStatus.NEED_TASK) {
      for (Runnable task = engine.getDelegatedTask();
          task != null;
          task = engine.getDelegatedTask()) {
        task.run();
      }
    }
  }
}
