/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.store;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.zip.CRC32;

/**
 * A map output's index as Hadoop's SpillRecord writes it: for each partition offset, raw length and
 * part length, then a CRC32 of it all, big-endian longs. Immutable.
 */
final class MapOutputIndex {
  private static final int RECORD_BYTES = 3 * Long.BYTES;

  /** More than two million partitions. */
  private static final int MAX_BYTES = 64 << 20;

  private final LongBuffer records;
  private final long end;

  private MapOutputIndex(LongBuffer records) {
    this.records = records;
    long last = 0;
    for (int reduce = 0; reduce < partitions(); reduce++) {
      last = Math.max(last, partLength(reduce) > 0 ? offset(reduce) + partLength(reduce) : 0);
    }
    this.end = last;
  }

  /**
   * Reads all of {@code file}.
   *
   * @throws IOException if it cannot be read or is no such index
   */
  static MapOutputIndex read(RandomAccessFile file) throws IOException {
    long length = file.length();
    if (length % RECORD_BYTES != Long.BYTES || length > MAX_BYTES) {
      throw new IOException("no index has a length of " + length + " bytes");
    }
    byte[] bytes = new byte[(int) length];
    file.readFully(bytes);
    int recordBytes = bytes.length - Long.BYTES;
    CRC32 crc = new CRC32();
    crc.update(bytes, 0, recordBytes);
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    if (buffer.getLong(recordBytes) != crc.getValue()) {
      throw new IOException("the checksum of the index does not match");
    }
    return new MapOutputIndex(buffer.limit(recordBytes).asLongBuffer());
  }

  /** Length of the index of an output with so many partitions. */
  static long bytes(int partitions) {
    return (long) partitions * RECORD_BYTES + Long.BYTES;
  }

  int partitions() {
    return records.limit() / 3;
  }

  long offset(int reduce) {
    return records.get(3 * reduce);
  }

  long rawLength(int reduce) {
    return records.get(3 * reduce + 1);
  }

  long partLength(int reduce) {
    return records.get(3 * reduce + 2);
  }

  /** Where the last partition ends in the output. */
  long end() {
    return end;
  }

  /** What it weighs in memory, bytes. */
  long weight() {
    return (long) partitions() * RECORD_BYTES + 100;
  }
}
