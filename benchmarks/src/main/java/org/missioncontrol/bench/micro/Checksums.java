/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.micro;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.IFileInputStream;
import org.apache.hadoop.util.DataChecksum;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * The checksum of 1 MiB of map output. Both reducers leave it to Hadoop's merge, which reads
 * through IFileInputStream; the JVM's own is what that could reach. Owned by JMH's thread.
 */
@State(Scope.Thread)
public class Checksums {
  private static final int BYTES = 1 << 20;
  private static final int PIECE_BYTES = 1 << 16;

  private final Configuration conf = new Configuration(false);
  private final byte[] segment = segment();
  private final byte[] into = new byte[BYTES];
  private final CRC32 crc = new CRC32();
  private final DataChecksum hadoop =
      DataChecksum.newDataChecksum(DataChecksum.Type.CRC32, Integer.MAX_VALUE);

  /** Made by JMH. */
  public Checksums() {}

  private static byte[] segment() {
    byte[] data = new byte[BYTES];
    new Random(1).nextBytes(data);
    CRC32 sum = new CRC32();
    sum.update(data);
    byte[] segment = Arrays.copyOf(data, BYTES + Integer.BYTES);
    ByteBuffer.wrap(segment).putInt(BYTES, (int) sum.getValue());
    return segment;
  }

  /** Java's, which the JVM replaces by processor instructions. */
  @Benchmark
  public long jvm() {
    crc.reset();
    crc.update(segment, 0, BYTES);
    return crc.getValue();
  }

  /** Hadoop's choice for a CRC32. */
  @Benchmark
  public long hadoop() {
    hadoop.reset();
    hadoop.update(segment, 0, BYTES);
    return hadoop.getValue();
  }

  /** A segment copied into memory in pieces, and checked, as the merge of both reducers does. */
  @Benchmark
  public int segmentRead() throws IOException {
    try (IFileInputStream in =
        new IFileInputStream(new ByteArrayInputStream(segment), segment.length, conf)) {
      int read = 0;
      while (read < BYTES) {
        read += in.read(into, read, Math.min(PIECE_BYTES, BYTES - read));
      }
      return read;
    }
  }
}
