/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.store;

import java.nio.LongBuffer;

/** What an index says of each partition, in bytes; nothing is checked. Immutable. */
sealed interface PartitionRecords permits PartitionRecords.AsWritten, CompactRecords {
  int partitions();

  /** Where the partition begins in the output. */
  long offset(int reduce);

  /** Bytes after decompression. */
  long rawLength(int reduce);

  /** Bytes in the output. */
  long partLength(int reduce);

  /** What they take in memory. */
  long bytes();

  /** The longs of Hadoop's SpillRecord: any values at all. Immutable. */
  record AsWritten(LongBuffer longs) implements PartitionRecords {
    /** The array below the buffer and the objects. */
    private static final int FIXED_BYTES = 150;

    @Override
    public int partitions() {
      return longs.limit() / 3;
    }

    @Override
    public long offset(int reduce) {
      return longs.get(3 * reduce);
    }

    @Override
    public long rawLength(int reduce) {
      return longs.get(3 * reduce + 1);
    }

    @Override
    public long partLength(int reduce) {
      return longs.get(3 * reduce + 2);
    }

    @Override
    public long bytes() {
      return (long) longs.limit() * Long.BYTES + FIXED_BYTES;
    }
  }
}
