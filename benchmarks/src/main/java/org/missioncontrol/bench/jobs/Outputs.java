/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.jobs;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Compares what jobs wrote. Immutable. */
public final class Outputs {
  private static final int BUFFER = 1 << 16;

  private Outputs() {}

  /** SHA-256 of every part file of an output directory, with its length, by name. */
  public static SortedMap<String, String> digests(Configuration conf, String output)
      throws IOException {
    Path directory = new Path(output);
    FileSystem files = directory.getFileSystem(conf);
    SortedMap<String, String> digests = new TreeMap<>();
    for (FileStatus file : files.listStatus(directory)) {
      if (file.getPath().getName().startsWith("part-")) {
        try (InputStream in = files.open(file.getPath())) {
          digests.put(file.getPath().getName(), file.getLen() + " " + digest(in));
        }
      }
    }
    return digests;
  }

  private static String digest(InputStream in) throws IOException {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      byte[] buffer = new byte[BUFFER];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        sha.update(buffer, 0, n);
      }
      return HexFormat.of().formatHex(sha.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
