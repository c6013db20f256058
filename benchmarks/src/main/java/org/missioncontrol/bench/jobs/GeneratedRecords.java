/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.jobs;

import java.util.SplittableRandom;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/**
 * Records of 100 bytes, printable: a random key made unique by the map's and the record's number,
 * and a value that compresses to about a half. Owned by one task.
 */
final class GeneratedRecords extends RecordReader<Text, Text> {
  static final int RECORD_BYTES = 100;
  private static final int VALUE_BYTES = 74;
  private static final byte[] LETTERS =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+-"
          .getBytes(java.nio.charset.StandardCharsets.US_ASCII);

  private final int map;
  private final long records;
  private final SplittableRandom random;
  private final byte[] filler = new byte[VALUE_BYTES];
  private final Text key = new Text();
  private final Text value = new Text();
  private long next;

  GeneratedRecords(int map, long seed, long bytes) {
    this.map = map;
    records = bytes / RECORD_BYTES;
    random = new SplittableRandom(seed * 1_000_003 + map);
  }

  @Override
  public void initialize(InputSplit split, TaskAttemptContext context) {}

  @Override
  public boolean nextKeyValue() {
    if (next == records) {
      return false;
    }
    StringBuilder text = new StringBuilder(24);
    long bits = random.nextLong();
    for (int i = 0; i < 10; i++) {
      text.append((char) LETTERS[(int) (bits >>> (6 * i)) & 63]);
    }
    text.append('-').append(map).append('-').append(next);
    key.set(text.toString());
    for (int i = 0; i < VALUE_BYTES; i += 2) {
      filler[i] = LETTERS[random.nextInt(LETTERS.length)];
      filler[i + 1] = '.';
    }
    value.set(filler);
    next++;
    return true;
  }

  @Override
  public Text getCurrentKey() {
    return key;
  }

  @Override
  public Text getCurrentValue() {
    return value;
  }

  @Override
  public float getProgress() {
    return records == 0 ? 1 : (float) next / records;
  }

  @Override
  public void close() {}
}
