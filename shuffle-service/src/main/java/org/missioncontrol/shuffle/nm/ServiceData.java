/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.io.DataInputByteBuffer;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that pass between an ApplicationMaster and the service {@code mapreduce_shuffle}, as
 * stock's ShuffleHandler writes and reads them. Immutable.
 */
final class ServiceData {
  private ServiceData() {}

  /** The port as four bytes, what the AppplicationMaster is told. */
  static ByteBuffer port(int port) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(0, port);
  }

  /**
   * The job token, what the ApplicationMaster tells. The bytes come from whoever submitted the job,
   * so no length in them is believed before the bytes are there.
   *
   * @throws IOException if they are no token
   */
  static Token<JobTokenIdentifier> token(@Nullable ByteBuffer data) throws IOException {
    if (data == null) {
      throw new IOException("no job token in the service data");
    }
    ByteBuffer bytes = data.duplicate();
    int length = bytes.remaining();
    try (DataInputByteBuffer in = new DataInputByteBuffer()) {
      in.reset(bytes);
      return new Token<>(
          field(in, length),
          field(in, length),
          new Text(field(in, length)),
          new Text(field(in, length)));
    }
  }

  /** A vint and so many bytes: the layout of Token's byte arrays and Texts alike. */
  private static byte[] field(DataInputByteBuffer in, int limit) throws IOException {
    int length = WritableUtils.readVInt(in);
    if (length < 0 || length > limit) {
      throw new IOException(
          "no job token in the service data: a field of " + length + " in " + limit + " bytes");
    }
    byte[] field = new byte[length];
    in.readFully(field);
    return field;
  }
}
