/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.zip.CRC32;

/** Map outputs on disk for tests, laid out as a NodeManager has them. */
final class MapOutputs {
  static final String JOB = "job_1111111111111_0001";
  static final String USER = "alice";

  private final Path localDir;

  MapOutputs(Path localDir) {
    this.localDir = localDir;
  }

  static String attempt(int map) {
    return "attempt_1111111111111_0001_m_%06d_0".formatted(map);
  }

  static byte[] bytes(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /** Writes one output; the raw length of each partition is twice its length. */
  MapOutputs write(int map, byte[]... partitions) throws IOException {
    long[][] records = new long[partitions.length][];
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    for (int i = 0; i < partitions.length; i++) {
      records[i] = new long[] {data.size(), 2L * partitions[i].length, partitions[i].length};
      data.write(partitions[i]);
    }
    Files.createDirectories(data(map).getParent());
    Files.write(data(map), data.toByteArray());
    writeIndex(map, records);
    return this;
  }

  /** Writes offset, raw length and part length of each partition, with the right checksum. */
  void writeIndex(int map, long[]... records) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    for (long[] record : records) {
      for (long number : record) {
        out.writeLong(number);
      }
    }
    CRC32 crc = new CRC32();
    crc.update(bytes.toByteArray());
    out.writeLong(crc.getValue());
    Files.write(index(map), bytes.toByteArray());
  }

  Path data(int map) {
    return localDir.resolve(directory(map) + "file.out");
  }

  Path index(int map) {
    return localDir.resolve(directory(map) + "file.out.index");
  }

  /** As a NodeManager looks files up. */
  Path find(String relative) throws IOException {
    Path found = localDir.resolve(relative);
    if (!Files.exists(found)) {
      throw new IOException("Could not find " + relative + " below " + localDir);
    }
    return found;
  }

  private static String directory(int map) {
    return "usercache/"
        + USER
        + "/appcache/application_1111111111111_0001/output/"
        + attempt(map)
        + "/";
  }
}
