/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.host;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.mapred.IFile;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.SpillRecord;

/**
 * Map outputs in the layout that MapReduce leaves on a NodeManager's disk. All have the same
 * content, and their directories are links to one. Immutable.
 */
public final class MapOutputs {
  private static final int PIECE_BYTES = 1 << 16;
  private static final int VALUE_BYTES = 16_000;

  /** Lengths, key and length of the value of one record, at most. */
  private static final int RECORD_EXTRA_BYTES = 12;

  /** End marker and checksum. */
  private static final int TRAILER_BYTES = 6;

  private static final String DATA = "file.out";
  private static final String INDEX = "file.out.index";

  private final Path localDirectory;
  private final Path master;
  private final long segmentBytes;

  private MapOutputs(Path localDirectory, Path master, long segmentBytes) {
    this.localDirectory = localDirectory;
    this.master = master;
    this.segmentBytes = segmentBytes;
  }

  /** Writes the one output that all are links of: so many partitions of the same size. */
  public static MapOutputs make(Path localDirectory, int partitions, int partitionBytes)
      throws IOException {
    Path master =
        Files.createDirectories(
            localDirectory.resolve("master-" + partitionBytes).toAbsolutePath());
    Path data = master.resolve(DATA);
    Path index = master.resolve(INDEX);
    try (OutputStream out = Files.newOutputStream(data)) {
      byte[] piece = new byte[PIECE_BYTES];
      for (long left = (long) partitions * partitionBytes; left > 0; left -= PIECE_BYTES) {
        out.write(piece, 0, (int) Math.min(PIECE_BYTES, left));
      }
    }
    SpillRecord records = new SpillRecord(partitions);
    for (int i = 0; i < partitions; i++) {
      records.putIndex(
          new IndexRecord((long) i * partitionBytes, partitionBytes, partitionBytes), i);
    }
    records.writeToFile(
        new org.apache.hadoop.fs.Path(index.toString()), new JobConf(new Configuration(false)));
    return new MapOutputs(localDirectory, master, partitionBytes);
  }

  /**
   * The same with segments as map tasks write them, records and checksum and all, each of about the
   * size that is wanted; {@link #segmentBytes} tells.
   */
  public static MapOutputs ofRecords(Path localDirectory, int partitions, int partitionBytes)
      throws IOException {
    Path master =
        Files.createDirectories(
            localDirectory.resolve("master-" + partitionBytes).toAbsolutePath());
    JobConf conf = new JobConf(false);
    SpillRecord records = new SpillRecord(partitions);
    long part = 0;
    try (FSDataOutputStream out =
        new FSDataOutputStream(
            new BufferedOutputStream(Files.newOutputStream(master.resolve(DATA)), PIECE_BYTES),
            null)) {
      for (int i = 0; i < partitions; i++) {
        long offset = out.getPos();
        IFile.Writer<IntWritable, BytesWritable> writer =
            new IFile.Writer<>(conf, out, IntWritable.class, BytesWritable.class, null, null);
        writeRecords(writer, partitionBytes - TRAILER_BYTES);
        writer.close();
        part = writer.getCompressedLength();
        records.putIndex(new IndexRecord(offset, writer.getRawLength(), part), i);
      }
    }
    records.writeToFile(
        new org.apache.hadoop.fs.Path(master.resolve(INDEX).toString()),
        new JobConf(new Configuration(false)));
    return new MapOutputs(localDirectory, master, part);
  }

  private static void writeRecords(IFile.Writer<IntWritable, BytesWritable> writer, int bytes)
      throws IOException {
    IntWritable key = new IntWritable();
    int number = 0;
    for (int left = bytes; left > RECORD_EXTRA_BYTES; number++) {
      int value = Math.min(VALUE_BYTES, left - RECORD_EXTRA_BYTES);
      byte[] content = new byte[value];
      new Random(number).nextBytes(content);
      key.set(number);
      writer.append(key, new BytesWritable(content));
      left -= value + RECORD_EXTRA_BYTES;
    }
  }

  /** Length of each partition, bytes. */
  public long segmentBytes() {
    return segmentBytes;
  }

  /** The file with all partitions. */
  public Path data() {
    return master.resolve(DATA);
  }

  /** Gives a job the outputs of its first maps. */
  public void link(BenchJob job, int maps) throws IOException {
    Path output =
        Files.createDirectories(
            localDirectory
                .resolve("usercache")
                .resolve(BenchJob.USER)
                .resolve("appcache")
                .resolve(job.application().toString())
                .resolve("output"));
    for (int map = 0; map < maps; map++) {
      Files.createSymbolicLink(output.resolve(job.mapAttempt(map)), master);
    }
  }
}
