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
import java.util.zip.CRC32;
import org.missioncontrol.shuffle.store.PartitionRecords.AsWritten;

/**
 * A map output's index as Hadoop's SpillRecord writes it: for each partition offset, raw length and
 * part length, then a CRC32 of it all, big-endian longs. Held more compactly than written where it
 * is as map tasks write it. Immutable.
 */
final class MapOutputIndex {
  private static final int RECORD_BYTES = 3 * Long.BYTES;

  /** More than two million partitions. */
  private static final int MAX_BYTES = 64 << 20;

  /** This object. */
  private static final int FIXED_BYTES = 24;

  private final PartitionRecords records;
  private final long end;

  private MapOutputIndex(PartitionRecords records) {
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
    AsWritten written = new AsWritten(buffer.limit(recordBytes).asLongBuffer());
    CompactRecords compact = CompactRecords.of(written);
    return new MapOutputIndex(compact == null ? written : compact);
  }

  /** Length of the file of the index of an output with so many partitions. */
  static long fileBytes(int partitions) {
    return (long) partitions * RECORD_BYTES + Long.BYTES;
  }

  int partitions() {
    return records.partitions();
  }

  long offset(int reduce) {
    return records.offset(reduce);
  }

  long rawLength(int reduce) {
    return records.rawLength(reduce);
  }

  long partLength(int reduce) {
    return records.partLength(reduce);
  }

  /** Where the last partition ends in the output. */
  long end() {
    return end;
  }

  /** What it takes in memory. */
  long bytes() {
    return records.bytes() + FIXED_BYTES;
  }
}
