/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.SpillRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.missioncontrol.conf.ServerConfig;
import org.missioncontrol.shuffle.wire.MapOutputHeader.Failure;

class LocalMapOutputStoreTest {
  private static final String JOB = "job_1700000000000_0007";
  private static final String ATTEMPT = "attempt_1700000000000_0007_m_000003_0";
  private static final String DIRECTORY =
      "usercache/alice/appcache/application_1700000000000_0007/output/" + ATTEMPT;

  @TempDir private Path good;
  @TempDir private Path other;
  private Path disk;
  private boolean running = true;
  private final AtomicInteger lookUps = new AtomicInteger();
  private final MapOutputStore store =
      new LocalMapOutputStore(
          ServerConfig.from(new Configuration(false)), this::find, job -> running);

  @BeforeEach
  void write() throws IOException {
    disk = good;
    write(good, "0123456789");
  }

  @Test
  void readsWhatHadoopsSpillRecordWrote() throws IOException {
    try (MapOutput output = store.open(JOB, "alice", ATTEMPT, 1, 1)) {
      assertThat(output.offset()).isEqualTo(4);
      assertThat(output.length()).isEqualTo(6);
      assertThat(output.segments()).containsExactly(new MapOutput.Segment(1, 6, 12));
    }
  }

  @Test
  void pathsAndIndexesAreRememberedUntilTheJobEnds() throws IOException {
    open();
    open();
    assertThat(lookUps).hasValue(2);
    store.forget(JOB);
    open();
    assertThat(lookUps).hasValue(4);
  }

  @Test
  void anOutputThatMovedToAnotherDiskIsFoundAgain() throws IOException {
    open();
    Files.delete(good.resolve(DIRECTORY).resolve("file.out"));
    disk = other;
    write(other, "0123456789");
    open();
  }

  @Test
  void aRememberedOutputThatIsDeletedIsMissing() throws IOException {
    open();
    Files.delete(good.resolve(DIRECTORY).resolve("file.out"));
    assertFails(Failure.MISSING);
  }

  @Test
  void anIndexThatIsMendedIsReadAgain() throws IOException {
    Path index = good.resolve(DIRECTORY).resolve("file.out.index");
    byte[] right = Files.readAllBytes(index);
    Files.write(index, new byte[right.length - 1]);
    assertFails(Failure.BAD_INDEX);
    Files.write(index, right);
    open();
  }

  @ParameterizedTest
  @CsvSource({"-1, 4, 4", "4, -1, 6", "4, 12, -6", "5, 12, 5", "9223372036854775807, 6, 6"})
  void anIndexThatNoMapTaskWritesIsRefused(long offset, long raw, long part) throws IOException {
    writeIndex(good.resolve(DIRECTORY), new IndexRecord(offset, raw, part));
    assertFails(Failure.BAD_INDEX);
  }

  @Test
  void anOutputShorterThanItsIndexIsTruncated() throws IOException {
    writeIndex(good.resolve(DIRECTORY), new IndexRecord(4, 12, 7));
    assertFails(Failure.TRUNCATED);
  }

  @Test
  void aSmallOutputIsReadOnceForAllReducers() throws IOException {
    assertThat(store.remembered(JOB, "alice", ATTEMPT, 0, 0, 100)).isNull();
    assertThat(text(remember())).isEqualTo("0123");
    Files.delete(good.resolve(DIRECTORY).resolve("file.out"));
    SmallOutput second = store.remembered(JOB, "alice", ATTEMPT, 1, 1, 100);
    assertThat(text(second)).isEqualTo("456789");
    assertThat(second.segments()).containsExactly(new MapOutput.Segment(1, 6, 12));
  }

  @Test
  void aSmallOutputIsForgottenWhenEachPartitionWasAskedFor() throws IOException {
    remember();
    assertThat(store.remembered(JOB, "alice", ATTEMPT, 1, 1, 100)).isNotNull();
    assertThat(store.remembered(JOB, "alice", ATTEMPT, 1, 1, 100)).isNull();
  }

  @Test
  void aSmallOutputIsForgottenWithItsJob() throws IOException {
    remember();
    store.forget(JOB);
    assertThat(store.remembered(JOB, "alice", ATTEMPT, 1, 1, 100)).isNull();
  }

  @Test
  void aSmallOutputIsRememberedForItsUserOnly() throws IOException {
    remember();
    assertThat(store.remembered(JOB, "mallory", ATTEMPT, 1, 1, 100)).isNull();
    assertThat(store.remembered(JOB, "alice", ATTEMPT, 1, 2, 100)).isNull();
  }

  @Test
  void whatIsLongerThanWantedIsStillRemembered() throws IOException {
    remember();
    assertThat(store.remembered(JOB, "alice", ATTEMPT, 1, 1, 5)).isNull();
    assertThat(store.remembered(JOB, "alice", ATTEMPT, 1, 1, 6)).isNotNull();
  }

  @Test
  void aSmallOutputCountsWhoReadsItFromTheDisk() throws IOException {
    remember();
    store.open(JOB, "alice", ATTEMPT, 1, 1).close();
    assertThat(store.remembered(JOB, "alice", ATTEMPT, 1, 1, 100)).isNull();
  }

  @Test
  void whatIsOpenedAsItsJobEndsIsNotRemembered() throws IOException {
    try (MapOutput open = store.open(JOB, "alice", ATTEMPT, 0, 0)) {
      running = false;
      store.forget(JOB);
      store.open(JOB, "alice", ATTEMPT, 1, 1).close();
      assertThat(lookUps).hasValue(4);
      store.remember(JOB, "alice", ATTEMPT, open);
    }
    running = true;
    assertThat(store.remembered(JOB, "alice", ATTEMPT, 1, 1, 100)).isNull();
    open();
    assertThat(lookUps).hasValue(6);
  }

  private SmallOutput remember() throws IOException {
    try (MapOutput open = store.open(JOB, "alice", ATTEMPT, 0, 0)) {
      return store.remember(JOB, "alice", ATTEMPT, open);
    }
  }

  private static String text(SmallOutput output) {
    return StandardCharsets.US_ASCII.decode(output.bytes()).toString();
  }

  @Test
  void failuresNameNoPath() {
    assertThatThrownBy(() -> store.open(JOB, "alice", "../" + ATTEMPT, 0, 0))
        .isInstanceOf(MapOutputException.class)
        .hasMessageContaining(ATTEMPT)
        .hasMessageNotContaining("usercache");
    assertThat(lookUps).hasValue(0);
  }

  private void assertFails(Failure failure) {
    assertThatThrownBy(this::open)
        .isInstanceOfSatisfying(
            MapOutputException.class, e -> assertThat(e.failure()).isEqualTo(failure));
  }

  private void open() throws IOException {
    store.open(JOB, "alice", ATTEMPT, 0, 1).close();
  }

  private Path find(String relative) throws IOException {
    lookUps.incrementAndGet();
    Path found = disk.resolve(relative);
    if (!Files.exists(found)) {
      throw new IOException("no " + relative);
    }
    return found;
  }

  private static void write(Path disk, String data) throws IOException {
    Path directory = disk.resolve(DIRECTORY);
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("file.out"), data);
    writeIndex(directory, new IndexRecord(4, 12, 6));
  }

  private static void writeIndex(Path directory, IndexRecord second) throws IOException {
    SpillRecord index = new SpillRecord(2);
    index.putIndex(new IndexRecord(0, 8, 4), 0);
    index.putIndex(second, 1);
    index.writeToFile(
        new org.apache.hadoop.fs.Path(directory.resolve("file.out.index").toString()),
        new JobConf(false));
  }
}
