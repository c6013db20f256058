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
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.SpillRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class MapOutputIndexTest {
  private static final int CASES = 60;
  private static final int CHECKSUM_BYTES = 4;
  private static final long THREE_GB = 3L << 30;

  @TempDir private Path directory;

  /** Of what an index can be made. */
  private enum Kind {
    UNCOMPRESSED(true),
    COMPRESSED(true),
    SOME_PARTS_EMPTY(true),
    ALL_PARTS_EMPTY(true),
    ONE_PART_OF_3_GB(true),
    ALL_PARTS_OF_3_GB(false),
    ONE_RAW_LENGTH_OF_5_GB(false),
    GAPS(false),
    ANY_LONGS(false);

    private final boolean compact;

    Kind(boolean compact) {
      this.compact = compact;
    }

    private long part(Random random, int i) {
      return switch (this) {
        case SOME_PARTS_EMPTY -> random.nextBoolean() ? 0 : random.nextInt(1_000);
        case ALL_PARTS_EMPTY -> 0;
        case ONE_PART_OF_3_GB -> i == 1 ? THREE_GB : random.nextInt(1_000);
        case ALL_PARTS_OF_3_GB -> THREE_GB;
        default -> CHECKSUM_BYTES + random.nextInt(random.nextInt(9) == 0 ? 10_000_000 : 10_000);
      };
    }

    private long raw(Random random, int i, long part) {
      return switch (this) {
        case COMPRESSED -> part * 2 + random.nextInt(10);
        case SOME_PARTS_EMPTY, ONE_PART_OF_3_GB -> part == 0 ? 0 : random.nextLong(THREE_GB);
        case ONE_RAW_LENGTH_OF_5_GB -> i == 1 ? 5L << 30 : part;
        default -> Math.max(0, part - CHECKSUM_BYTES);
      };
    }

    private IndexRecord[] records(Random random, int partitions) {
      long offset = random.nextInt(3) == 0 ? random.nextInt(100) : 0;
      IndexRecord[] records = new IndexRecord[partitions];
      for (int i = 0; i < partitions; i++) {
        long part = part(random, i);
        offset += this == GAPS && i == 1 ? 1 : 0;
        records[i] =
            this == ANY_LONGS
                ? new IndexRecord(random.nextLong(), random.nextLong(), random.nextLong())
                : new IndexRecord(offset, raw(random, i, part), part);
        offset += part;
      }
      return records;
    }
  }

  @ParameterizedTest
  @EnumSource
  void saysWhatHadoopsRecordsSayHoweverItIsHeld(Kind kind) throws IOException {
    for (int seed = 0; seed < CASES; seed++) {
      Random random = new Random(seed);
      int partitions = 3 + random.nextInt(random.nextInt(5) == 0 ? 5_000 : 200);
      IndexRecord[] records = kind.records(random, partitions);
      MapOutputIndex index = assertSame(records);
      assertThat(isCompact(index)).as("%s, seed %d", kind, seed).isEqualTo(kind.compact);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 63, 64, 65, 127, 128, 129})
  void groupsBeginAndEndWhereTheyShould(int partitions) throws IOException {
    assertSame(Kind.UNCOMPRESSED.records(new Random(partitions), partitions));
    assertSame(Kind.COMPRESSED.records(new Random(partitions), partitions));
  }

  @Test
  void anIndexWithoutPartitionsIsOne() throws IOException {
    assertThat(assertSame(new IndexRecord[0]).end()).isZero();
  }

  @Test
  void groupsOfJustUnder4GbAreCompactAndLongerOnesAreNot() throws IOException {
    long uint = (1L << 32) - 1;
    assertThat(isCompact(assertSame(neighbours(uint - 16, 8, 8)))).isTrue();
    assertThat(isCompact(assertSame(neighbours(uint - 15, 8, 8)))).isFalse();
    long[] manyGroups = IntStream.range(0, 6_400).mapToLong(i -> 60L << 20).toArray();
    assertThat(assertSame(neighbours(manyGroups)).bytes()).isLessThan(5 * 6_400);
  }

  @Test
  void anUncompressedOutputTakesLittleMoreThanFourBytesAPartition() throws IOException {
    MapOutputIndex index = assertSame(Kind.UNCOMPRESSED.records(new Random(1), 1_000));
    assertThat(index.bytes()).isLessThan(4_300);
    assertThat(index(Kind.COMPRESSED.records(new Random(1), 1_000)).bytes()).isLessThan(8_300);
  }

  @Test
  void twoThousandMapsOfAThousandReducesFitInto10Mb() throws IOException {
    OutputId id =
        new OutputId("job_1700000000000_0007", "alice", "attempt_1700000000000_0007_m_000003_0");
    MapOutputIndex index = index(Kind.UNCOMPRESSED.records(new Random(1), 1_000));
    assertThat(2_000 * (id.bytes() + index.bytes())).isLessThan(10 << 20);
  }

  @Test
  void oneFlippedBitAnywhereIsRefused() throws IOException {
    Path file = write(Kind.UNCOMPRESSED.records(new Random(1), 3));
    byte[] right = Files.readAllBytes(file);
    for (int bit = 0; bit < right.length * Byte.SIZE; bit++) {
      byte[] wrong = right.clone();
      wrong[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      Files.write(file, wrong);
      assertThatThrownBy(() -> read(file)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void aCutOneIsRefused() throws IOException {
    Path file = write(Kind.UNCOMPRESSED.records(new Random(1), 3));
    byte[] right = Files.readAllBytes(file);
    for (int length = 0; length < right.length; length++) {
      Files.write(file, Arrays.copyOf(right, length));
      assertThatThrownBy(() -> read(file)).isInstanceOf(IOException.class);
    }
  }

  /** As written it takes 24 bytes a partition, and its objects. */
  private static boolean isCompact(MapOutputIndex index) {
    return index.bytes() < 24L * index.partitions() + 150;
  }

  private static IndexRecord[] neighbours(long... parts) {
    IndexRecord[] records = new IndexRecord[parts.length];
    long offset = 0;
    for (int i = 0; i < parts.length; i++) {
      records[i] = new IndexRecord(offset, parts[i], parts[i]);
      offset += parts[i];
    }
    return records;
  }

  private MapOutputIndex assertSame(IndexRecord[] records) throws IOException {
    MapOutputIndex index = index(records);
    assertThat(index.partitions()).isEqualTo(records.length);
    for (int i = 0; i < records.length; i++) {
      assertThat(index.offset(i)).isEqualTo(records[i].startOffset);
      assertThat(index.rawLength(i)).isEqualTo(records[i].rawLength);
      assertThat(index.partLength(i)).isEqualTo(records[i].partLength);
    }
    LongStream ends =
        Arrays.stream(records)
            .filter(one -> one.partLength > 0)
            .mapToLong(one -> one.startOffset + one.partLength);
    assertThat(index.end()).isEqualTo(Math.max(0, ends.max().orElse(0)));
    return index;
  }

  private MapOutputIndex index(IndexRecord[] records) throws IOException {
    return read(write(records));
  }

  private static MapOutputIndex read(Path file) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
      return MapOutputIndex.read(open);
    }
  }

  private Path write(IndexRecord[] records) throws IOException {
    SpillRecord written = new SpillRecord(records.length);
    for (int i = 0; i < records.length; i++) {
      written.putIndex(records[i], i);
    }
    Path file = directory.resolve("index");
    written.writeToFile(new org.apache.hadoop.fs.Path(file.toString()), new JobConf(false));
    return file;
  }
}
