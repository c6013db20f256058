/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.ByteBufOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableUtils;
import org.jspecify.annotations.Nullable;

/**
 * What precedes each map output in a reply (Hadoop's ShuffleHeader: Text, VLong, VLong, VInt).
 * Immutable.
 *
 * <p>Under {@link ShuffleExtension} a map output that cannot be sent has the part length -1, the
 * code of its {@link Failure} as raw length, and no bytes; so it fails alone and by name.
 *
 * @param mapId attempt that made the output
 * @param partLength bytes that follow, or {@link #FAILED}
 * @param rawLength bytes after decompression
 * @param reduce partition
 */
public record MapOutputHeader(String mapId, long partLength, long rawLength, int reduce) {
  /** Part length of an output that cannot be sent. */
  public static final long FAILED = -1;

  /** Longest map id that Hadoop accepts, bytes (ShuffleHeader.MAX_ID_LENGTH). */
  private static final int MAX_ID_BYTES = 1000;

  /** Longest encoding: vint and id, two vlongs, a vint. */
  public static final int MAX_BYTES = 5 + MAX_ID_BYTES + 9 + 9 + 5;

  /** Why an output cannot be sent. */
  public enum Failure {
    MISSING(0),
    BAD_INDEX(1),
    TRUNCATED(2),
    UNREADABLE(3);

    private final int code;

    Failure(int code) {
      this.code = code;
    }
  }

  /** The header that stands for an output that cannot be sent. */
  public static MapOutputHeader failed(String mapId, int reduce, Failure failure) {
    return new MapOutputHeader(mapId, FAILED, failure.code, reduce);
  }

  /** Why the output cannot be sent; null when it follows. */
  public @Nullable Failure failure() {
    if (partLength != FAILED) {
      return null;
    }
    return Arrays.stream(Failure.values())
        .filter(failure -> failure.code == rawLength)
        .findFirst()
        .orElse(Failure.UNREADABLE);
  }

  /**
   * Appends the number of headers that follow (VInt), as a reply to a range of partitions has it.
   */
  public static void encodeCount(int count, ByteBuf out) {
    try (ByteBufOutputStream stream = new ByteBufOutputStream(out)) {
      WritableUtils.writeVInt(stream, count);
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot encode the count " + count, e);
    }
  }

  /** Appends the header. */
  public void encode(ByteBuf out) {
    try (ByteBufOutputStream stream = new ByteBufOutputStream(out)) {
      Text.writeString(stream, mapId, MAX_ID_BYTES);
      WritableUtils.writeVLong(stream, partLength);
      WritableUtils.writeVLong(stream, rawLength);
      WritableUtils.writeVInt(stream, reduce);
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot encode the header of \"" + mapId + "\"", e);
    }
  }

  /**
   * Reads a header if all of it is there.
   *
   * @return null, and nothing read, when more bytes are needed
   * @throws IOException if the bytes are no header
   */
  public static @Nullable MapOutputHeader decode(ByteBuf in) throws IOException {
    int start = in.readerIndex();
    try (ByteBufInputStream stream = new ByteBufInputStream(in)) {
      return new MapOutputHeader(
          Text.readString(stream, MAX_ID_BYTES),
          WritableUtils.readVLong(stream),
          WritableUtils.readVLong(stream),
          WritableUtils.readVInt(stream));
    } catch (EOFException | IndexOutOfBoundsException e) {
      in.readerIndex(start);
      if (in.readableBytes() >= MAX_BYTES) {
        throw new IOException("no map output header within " + MAX_BYTES + " bytes", e);
      }
      return null;
    }
  }
}
