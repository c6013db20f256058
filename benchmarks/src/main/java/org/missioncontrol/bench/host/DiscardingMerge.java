/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.host;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.reduce.MapHost;
import org.apache.hadoop.mapreduce.task.reduce.MapOutput;
import org.apache.hadoop.mapreduce.task.reduce.MergeManager;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleClientMetrics;
import org.apache.hadoop.util.Progress;

/** Reads map outputs, counts their bytes and throws them away. Thread-safe. */
final class DiscardingMerge<K, V> implements MergeManager<K, V> {
  private static final int PIECE_BYTES = 1 << 14;

  private final LongAdder bytes;

  /**
   * @param bytes counts what arrives, while it arrives
   */
  DiscardingMerge(LongAdder bytes) {
    this.bytes = bytes;
  }

  @Override
  public void waitForResource() {}

  @Override
  public MapOutput<K, V> reserve(TaskAttemptID map, long size, int fetcher) {
    return new Discarded<>(map, size, bytes);
  }

  @Override
  public RawKeyValueIterator close() {
    return new Nothing();
  }

  /** One output. Thread-safe. */
  private static final class Discarded<K, V> extends MapOutput<K, V> {
    private final LongAdder bytes;

    Discarded(TaskAttemptID map, long size, LongAdder bytes) {
      super(map, size, true);
      this.bytes = bytes;
    }

    @Override
    public void shuffle(
        MapHost host,
        InputStream input,
        long compressedLength,
        long decompressedLength,
        ShuffleClientMetrics metrics,
        Reporter reporter)
        throws IOException {
      byte[] piece = new byte[PIECE_BYTES];
      for (long left = compressedLength; left > 0; ) {
        int read = input.read(piece, 0, (int) Math.min(piece.length, left));
        if (read < 0) {
          throw new EOFException(left + " bytes of " + getMapId() + " are missing");
        }
        bytes.add(read);
        left -= read;
      }
      metrics.inputBytes(compressedLength);
    }

    @Override
    public void commit() {}

    @Override
    public void abort() {}

    @Override
    public String getDescription() {
      return "DISCARDED";
    }
  }

  /** No record. Immutable. */
  private static final class Nothing implements RawKeyValueIterator {
    @Override
    public DataInputBuffer getKey() {
      throw new IllegalStateException("there is no record");
    }

    @Override
    public DataInputBuffer getValue() {
      throw new IllegalStateException("there is no record");
    }

    @Override
    public boolean next() {
      return false;
    }

    @Override
    public void close() {}

    @Override
    public Progress getProgress() {
      return new Progress();
    }
  }
}
