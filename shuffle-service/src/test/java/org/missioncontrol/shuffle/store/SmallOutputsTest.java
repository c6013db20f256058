/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.SpillRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SmallOutputsTest {
  private static final int BYTES = 10_000;

  @TempDir private Path directory;
  private final AtomicLong nanos = new AtomicLong();
  private final SmallOutputs outputs = new SmallOutputs(25_000, nanos::get);
  private MapOutputIndex index;

  @BeforeEach
  void write() throws IOException {
    index = index(BYTES);
  }

  @Test
  void stayWithinTheirWeight() {
    add("a");
    add("b");
    add("c");
    assertThat(outputs.get(id("a"))).isNotNull();
    assertThat(outputs.get(id("b"))).isNotNull();
    assertThat(outputs.get(id("c"))).isNull();
    assertThat(outputs.weight()).isBetween(20_000L, 25_000L);
  }

  @Test
  void makeRoomOnlyWhenNotAskedForInAWhile() {
    add("a");
    add("b");
    nanos.addAndGet(SmallOutputs.IDLE_NANOS - 1);
    outputs.get(id("b"));
    nanos.incrementAndGet();
    add("c");
    assertThat(outputs.get(id("a"))).isNull();
    assertThat(outputs.get(id("b"))).isNotNull();
    assertThat(outputs.get(id("c"))).isNotNull();
  }

  @Test
  void weighNothingWhenForgotten() {
    add("a");
    add("b");
    outputs.asked(id("a"), 0, 1);
    outputs.forget("job");
    assertThat(outputs.weight()).isZero();
  }

  @Test
  void stayWhileOnePartitionIsAskedForAgainAndAgain() {
    add("a");
    outputs.asked(id("a"), 0, 0);
    outputs.asked(id("a"), 0, 0);
    assertThat(outputs.get(id("a"))).isNotNull();
    outputs.asked(id("a"), 1, 1);
    assertThat(outputs.get(id("a"))).isNull();
    assertThat(outputs.weight()).isZero();
  }

  @Test
  void areReadByOneAndOfNoUseUntilThen() {
    assertThat(outputs.begin(id("a"), index)).isTrue();
    assertThat(outputs.begin(id("a"), index)).isFalse();
    assertThat(outputs.get(id("a"))).isNull();
    outputs.finish(id("a"), whole());
    assertThat(outputs.get(id("a"))).isNotNull();
  }

  @Test
  void areDroppedIfTheirJobEndsOrAllIsAskedForWhileTheyAreRead() {
    outputs.begin(id("a"), index);
    outputs.forget("job");
    outputs.finish(id("a"), whole());
    outputs.begin(id("b"), index);
    outputs.asked(id("b"), 0, 1);
    outputs.finish(id("b"), whole());
    assertThat(outputs.get(id("a"))).isNull();
    assertThat(outputs.get(id("b"))).isNull();
    assertThat(outputs.weight()).isZero();
  }

  @Test
  void areNotLarge() throws IOException {
    SmallOutputs roomy = new SmallOutputs(Long.MAX_VALUE / 2, nanos::get);
    assertThat(roomy.begin(id("a"), index(SmallOutputs.MAX_BYTES))).isTrue();
    assertThat(roomy.begin(id("b"), index(SmallOutputs.MAX_BYTES + 2))).isFalse();
  }

  private void add(String attempt) {
    outputs.begin(id(attempt), index);
    outputs.finish(id(attempt), whole());
  }

  private SmallOutputs.Whole whole() {
    return new SmallOutputs.Whole(index, ByteBuffer.allocate(BYTES));
  }

  private static OutputId id(String attempt) {
    return new OutputId("job", "alice", attempt);
  }

  /** Of two partitions. */
  private MapOutputIndex index(int bytes) throws IOException {
    SpillRecord records = new SpillRecord(2);
    records.putIndex(new IndexRecord(0, bytes / 2, bytes / 2), 0);
    records.putIndex(new IndexRecord(bytes / 2, bytes / 2, bytes / 2), 1);
    Path file = directory.resolve("index" + bytes);
    records.writeToFile(new org.apache.hadoop.fs.Path(file.toString()), new JobConf(false));
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
      return MapOutputIndex.read(open);
    }
  }
}
