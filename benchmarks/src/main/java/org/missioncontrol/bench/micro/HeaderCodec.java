/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.micro;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleHeader;
import org.missioncontrol.shuffle.wire.MapOutputHeader;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * One map output's header, written to a buffer of its own as each server does and read from memory.
 * Owned by JMH's thread.
 */
@State(Scope.Thread)
public class HeaderCodec {
  private static final String ATTEMPT = "attempt_1700000000000_0007_m_000003_0";
  private static final int PART_BYTES = 123_456;
  private static final int REDUCE = 789;
  private static final int ROOM_BYTES = 80;

  private final MapOutputHeader header =
      new MapOutputHeader(ATTEMPT, PART_BYTES, PART_BYTES - Integer.BYTES, REDUCE);
  private final ShuffleHeader stockHeader =
      new ShuffleHeader(ATTEMPT, PART_BYTES, PART_BYTES - Integer.BYTES, REDUCE);
  private final ByteBuf written = write();
  private final ByteArrayInputStream bytes =
      new ByteArrayInputStream(written.array(), 0, written.readableBytes());

  /** Made by JMH. */
  public HeaderCodec() {}

  /** As our server writes one. */
  @Benchmark
  public ByteBuf write() {
    ByteBuf out = Unpooled.buffer(ROOM_BYTES);
    header.encode(out);
    return out;
  }

  /** As stock's ShuffleChannelHandler writes one. */
  @Benchmark
  public ByteBuf writeStock() throws IOException {
    try (DataOutputBuffer out = new DataOutputBuffer()) {
      stockHeader.write(out);
      return Unpooled.wrappedBuffer(out.getData(), 0, out.getLength());
    }
  }

  /** As our reducer reads one. */
  @Benchmark
  public Object read() throws IOException {
    written.readerIndex(0);
    MapOutputHeader read = MapOutputHeader.decode(written);
    if (read == null) {
      throw new IOException("not all of the header is there");
    }
    return read;
  }

  /** As stock's Fetcher reads one. */
  @Benchmark
  public ShuffleHeader readStock() throws IOException {
    bytes.reset();
    ShuffleHeader read = new ShuffleHeader();
    read.readFields(new DataInputStream(bytes));
    return read;
  }
}
