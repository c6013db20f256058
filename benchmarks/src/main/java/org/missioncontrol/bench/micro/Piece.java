/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.micro;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.store.IndexLookUp;

/** What is measured: ours and, where it has one, stock's of the same. Immutable. */
enum Piece {
  HEADER_WRITE("a header, written", HeaderCodec.class, "write", "writeStock"),
  HEADER_READ("a header, read", HeaderCodec.class, "read", "readStock"),
  INDEX_LOOK_UP("one of 2,000,000 partitions", IndexLookUp.class, "lookUp", "lookUpStock"),
  INDEX_LOOK_UP_COMPRESSED(
      "the same, compressed outputs", IndexLookUp.class, "lookUpCompressed", "lookUpStock"),
  INDEX_READ("an index of 1,000 partitions, read", IndexLookUp.class, "read", "readStock"),
  SHARES_16("shares of 16 jobs", Shares.class, "shares16", null),
  SHARES_200("shares of 200 jobs", Shares.class, "shares200", null),
  SHARES_1000("shares of 1,000 jobs", Shares.class, "shares1000", null),
  CHECKSUM("CRC32 of 1 MiB, the JVM's and Hadoop's", Checksums.class, "jvm", "hadoop"),
  CHECKSUM_SEGMENT("a segment of 1 MiB, read as both do", Checksums.class, "segmentRead", null);

  private final String title;
  private final Class<?> of;
  private final String ours;
  private final @Nullable String stock;

  Piece(String title, Class<?> of, String ours, @Nullable String stock) {
    this.title = title;
    this.of = of;
    this.ours = ours;
    this.stock = stock;
  }

  String title() {
    return title;
  }

  /** Where JMH finds it. */
  Class<?> of() {
    return of;
  }

  String ours() {
    return ours;
  }

  @Nullable String stock() {
    return stock;
  }

  /** First word of the name, in lower case: header, index, shares or checksum. */
  String group() {
    return key().split("_", 2)[0];
  }

  /** In the JSON. */
  String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The groups, in order. */
  static List<String> groups() {
    return Arrays.stream(values()).map(Piece::group).distinct().toList();
  }
}
