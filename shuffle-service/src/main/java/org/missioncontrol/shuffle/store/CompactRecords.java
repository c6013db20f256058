/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.store;

import org.jspecify.annotations.Nullable;

/**
 * The records of an output whose partitions lie one after the other, as map tasks write them: where
 * each begins, as an unsigned int above the beginning of its group, and one partition's end is the
 * next one's beginning. The raw lengths of an uncompressed output are its part lengths less the
 * same checksum everywhere, and take no memory; others take an unsigned int each. So 4 or 8 bytes a
 * partition and an eighth, where SpillRecord has 24. Immutable.
 */
final class CompactRecords implements PartitionRecords {
  /** Partitions of a group, as a power of two. */
  private static final int GROUP_SHIFT = 6;

  private static final long UNSIGNED_INT_MAX = (1L << Integer.SIZE) - 1;

  /** This object and the heads of its arrays. */
  private static final int FIXED_BYTES = 100;

  private final long[] groups;

  /** One more than partitions: the last is the end of the last. */
  private final int[] begins;

  private final int @Nullable [] raws;

  /** Raw length less part length, where {@link #raws} is null. */
  private final long extra;

  private CompactRecords(long[] groups, int[] begins, int @Nullable [] raws, long extra) {
    this.groups = groups;
    this.begins = begins;
    this.raws = raws;
    this.extra = extra;
  }

  /** The same records; null when they are not of a kind that can be held so. */
  static @Nullable CompactRecords of(PartitionRecords records) {
    int partitions = records.partitions();
    if (partitions == 0) {
      return null;
    }
    long[] groups = new long[(partitions >>> GROUP_SHIFT) + 1];
    int[] begins = new int[partitions + 1];
    long extra = records.rawLength(0) - records.partLength(0);
    boolean extraIsSame = true;
    long begin = records.offset(0);
    for (int i = 0; i <= partitions; i++) {
      if ((i & ((1 << GROUP_SHIFT) - 1)) == 0) {
        groups[i >>> GROUP_SHIFT] = begin;
      }
      long above = begin - groups[i >>> GROUP_SHIFT];
      if (begin < 0 || above > UNSIGNED_INT_MAX) {
        return null;
      }
      begins[i] = (int) above;
      if (i < partitions) {
        long part = records.partLength(i);
        if (records.offset(i) != begin || part < 0 || records.rawLength(i) < 0) {
          return null;
        }
        extraIsSame &= records.rawLength(i) - part == extra;
        begin += part;
      }
    }
    if (extraIsSame) {
      return new CompactRecords(groups, begins, null, extra);
    }
    int[] raws = raws(records);
    return raws == null ? null : new CompactRecords(groups, begins, raws, 0);
  }

  private static int @Nullable [] raws(PartitionRecords records) {
    int[] raws = new int[records.partitions()];
    for (int i = 0; i < raws.length; i++) {
      if (records.rawLength(i) > UNSIGNED_INT_MAX) {
        return null;
      }
      raws[i] = (int) records.rawLength(i);
    }
    return raws;
  }

  @Override
  public int partitions() {
    return begins.length - 1;
  }

  @Override
  public long offset(int reduce) {
    return groups[reduce >>> GROUP_SHIFT] + Integer.toUnsignedLong(begins[reduce]);
  }

  @Override
  public long rawLength(int reduce) {
    return raws == null ? partLength(reduce) + extra : Integer.toUnsignedLong(raws[reduce]);
  }

  @Override
  public long partLength(int reduce) {
    return offset(reduce + 1) - offset(reduce);
  }

  @Override
  public long bytes() {
    long ints = begins.length + (raws == null ? 0L : raws.length);
    return Integer.BYTES * ints + (long) Long.BYTES * groups.length + FIXED_BYTES;
  }
}
