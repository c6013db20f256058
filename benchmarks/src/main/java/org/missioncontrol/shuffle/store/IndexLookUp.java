/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.store;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.SpillRecord;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The NodeManager's index of map outputs: where a partition of one of 2,000 maps lies, by random
 * choice among all of their 1,000 partitions, and reading one index. In this package because the
 * index is nobody else's business. Owned by JMH's thread.
 */
public class IndexLookUp {
  private static final int MAPS = 2_000;
  private static final int PARTITIONS = 1_000;
  private static final int CHECKSUM_BYTES = 4;

  /** Made by JMH. */
  public IndexLookUp() {}

  /** What our index takes in memory. */
  public static double bytesPerPartition(boolean compressed) throws IOException {
    try (Spill spill = new Spill(compressed)) {
      return (double) spill.read().bytes() / PARTITIONS;
    }
  }

  /** Ours. */
  @Benchmark
  public long lookUp(Plain indexes) {
    return indexes.lookUp();
  }

  /** Ours, of compressed outputs. */
  @Benchmark
  public long lookUpCompressed(Compressed indexes) {
    return indexes.lookUp();
  }

  /** Stock's, which takes the same memory for both. */
  @Benchmark
  public long lookUpStock(Stock indexes) {
    return indexes.lookUp();
  }

  /** An index that the page cache has. */
  @Benchmark
  public Object read(OneFile file) throws IOException {
    return file.spill.read();
  }

  /** The same by stock. */
  @Benchmark
  public SpillRecord readStock(OneFile file) throws IOException {
    return file.spill.readStock();
  }

  /** Which partition of which map is next. Owned by JMH's thread. */
  private static final class Turn {
    private static final long MULTIPLIER = 6364136223846793005L;

    private long state = 1;

    /** Of Knuth's linear congruential generator, which costs a nanosecond. */
    private int next() {
      state = state * MULTIPLIER + 1442695040888963407L;
      return (int) ((state >>> 33) % ((long) MAPS * PARTITIONS));
    }
  }

  /** The index of one output in a file. Owned by JMH's thread. */
  private static final class Spill implements AutoCloseable {
    private final JobConf conf = new JobConf(new Configuration(false));
    private final Path file;

    private Spill(boolean compressed) {
      SpillRecord records = new SpillRecord(PARTITIONS);
      long offset = 0;
      for (int i = 0; i < PARTITIONS; i++) {
        int part = 20_000 + 37 * i % 10_000;
        int raw = compressed ? 3 * part + i % 7 : part - CHECKSUM_BYTES;
        records.putIndex(new IndexRecord(offset, raw, part), i);
        offset += part;
      }
      try {
        file = Files.createTempFile("mission-control-bench", ".index");
        records.writeToFile(new org.apache.hadoop.fs.Path(file.toString()), conf);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot write an index", e);
      }
    }

    private MapOutputIndex read() throws IOException {
      try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
        return MapOutputIndex.read(open);
      }
    }

    private SpillRecord readStock() throws IOException {
      return new SpillRecord(new org.apache.hadoop.fs.Path(file.toString()), conf);
    }

    @Override
    public void close() throws IOException {
      Files.delete(file);
    }
  }

  /** Ours of uncompressed outputs. Owned by JMH's thread. */
  @State(Scope.Thread)
  public static class Plain {
    private final MapOutputIndex[] indexes = new MapOutputIndex[MAPS];
    private final Turn turn = new Turn();

    /** Made by JMH. */
    public Plain() {}

    /** Reads one file again and again. */
    @Setup
    public void read() throws IOException {
      read(false);
    }

    final void read(boolean compressed) throws IOException {
      try (Spill spill = new Spill(compressed)) {
        for (int i = 0; i < MAPS; i++) {
          indexes[i] = spill.read();
        }
      }
    }

    final long lookUp() {
      int next = turn.next();
      MapOutputIndex index = indexes[next / PARTITIONS];
      int reduce = next % PARTITIONS;
      return index.offset(reduce) + index.partLength(reduce) + index.rawLength(reduce);
    }
  }

  /** Ours of compressed outputs. Owned by JMH's thread. */
  @State(Scope.Thread)
  public static class Compressed extends Plain {
    /** Made by JMH. */
    public Compressed() {}

    @Override
    public void read() throws IOException {
      read(true);
    }
  }

  /** Stock's. Owned by JMH's thread. */
  @State(Scope.Thread)
  public static class Stock {
    private final SpillRecord[] indexes = new SpillRecord[MAPS];
    private final Turn turn = new Turn();

    /** Made by JMH. */
    public Stock() {}

    /** Reads one file again and again. */
    @Setup
    public void read() throws IOException {
      try (Spill spill = new Spill(false)) {
        for (int i = 0; i < MAPS; i++) {
          indexes[i] = spill.readStock();
        }
      }
    }

    final long lookUp() {
      int next = turn.next();
      IndexRecord record = indexes[next / PARTITIONS].getIndex(next % PARTITIONS);
      return record.startOffset + record.partLength + record.rawLength;
    }
  }

  /** A file that is read. Owned by JMH's thread. */
  @State(Scope.Thread)
  public static class OneFile {
    private final Spill spill = new Spill(false);

    /** Made by JMH. */
    public OneFile() {}

    /** Deletes it. */
    @TearDown
    public void close() throws IOException {
      spill.close();
    }
  }
}
