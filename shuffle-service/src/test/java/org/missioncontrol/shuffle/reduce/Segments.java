/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.mapred.IFile;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.CryptoUtils;
import org.jspecify.annotations.Nullable;

/** Map outputs as a map task would write them: map m has the keys m, m + maps, m + 2 maps, ... */
final class Segments {
  record Segment(byte[] bytes, long rawLength) {}

  private final JobConf job;
  private final @Nullable CompressionCodec codec;
  private final int maps;
  private final int records;
  private final int valueBytes;
  private final List<Segment> segments = new ArrayList<>();

  Segments(JobConf job, @Nullable CompressionCodec codec, int maps, int records, int valueBytes) {
    this.job = job;
    this.codec = codec;
    this.maps = maps;
    this.records = records;
    this.valueBytes = valueBytes;
    for (int map = 0; map < maps; map++) {
      segments.add(write(map));
    }
  }

  Segment of(int map) {
    return segments.get(map);
  }

  private Segment write(int map) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      FSDataOutputStream plain = new FSDataOutputStream(bytes, null);
      FSDataOutputStream out = CryptoUtils.wrapIfNecessary(job, plain, false);
      IFile.Writer<IntWritable, BytesWritable> writer =
          new IFile.Writer<>(job, out, IntWritable.class, BytesWritable.class, codec, null);
      for (int i = 0; i < records; i++) {
        int key = map + i * maps;
        writer.append(new IntWritable(key), new BytesWritable(value(key)));
      }
      writer.close();
      if (out != plain) {
        out.close();
      }
      plain.flush();
      return new Segment(
          bytes.toByteArray(), writer.getRawLength() + CryptoUtils.cryptoPadding(job));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private byte[] value(int key) {
    byte[] value = new byte[valueBytes];
    for (int i = 0; i < valueBytes; i++) {
      value[i] = (byte) (key * 31 + i * 7 + (i >> 8));
    }
    return value;
  }

  long totalBytes() {
    return segments.stream().mapToLong(segment -> segment.bytes().length).sum();
  }

  /** All keys, in order. */
  List<Integer> keys() {
    List<Integer> keys = new ArrayList<>();
    for (int i = 0; i < maps * records; i++) {
      keys.add(i);
    }
    return keys;
  }
}
