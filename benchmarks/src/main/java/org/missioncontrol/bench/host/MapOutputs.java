/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.host;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.SpillRecord;

/**
 * Map outputs in the layout that MapReduce leaves on a NodeManager's disk. All have the same
 * content, and their directories are links to one. Immutable.
 */
public final class MapOutputs {
  private static final int PIECE_BYTES = 1 << 16;
  private static final String DATA = "file.out";
  private static final String INDEX = "file.out.index";

  private final Path localDirectory;
  private final Path master;

  private MapOutputs(Path localDirectory, Path master) {
    this.localDirectory = localDirectory;
    this.master = master;
  }

  /** Writes the one output that all are links of: so many partitions of the same size. */
  public static MapOutputs make(Path localDirectory, int partitions, int partitionBytes)
      throws IOException {
    Path master = Files.createDirectories(localDirectory.resolve("master").toAbsolutePath());
    Path data = master.resolve(DATA);
    Path index = master.resolve(INDEX);
    try (OutputStream out = Files.newOutputStream(data)) {
      byte[] piece = new byte[PIECE_BYTES];
      for (long left = (long) partitions * partitionBytes; left > 0; left -= PIECE_BYTES) {
        out.write(piece, 0, (int) Math.min(PIECE_BYTES, left));
      }
    }
    SpillRecord records = new SpillRecord(partitions);
    for (int i = 0; i < partitions; i++) {
      records.putIndex(
          new IndexRecord((long) i * partitionBytes, partitionBytes, partitionBytes), i);
    }
    records.writeToFile(
        new org.apache.hadoop.fs.Path(index.toString()), new JobConf(new Configuration(false)));
    return new MapOutputs(localDirectory, master);
  }

  /** Gives a job the outputs of its first maps. */
  public void link(BenchJob job, int maps) throws IOException {
    Path output =
        Files.createDirectories(
            localDirectory
                .resolve("usercache")
                .resolve(BenchJob.USER)
                .resolve("appcache")
                .resolve(job.application().toString())
                .resolve("output"));
    for (int map = 0; map < maps; map++) {
      Files.createSymbolicLink(output.resolve(job.mapAttempt(map)), master);
    }
  }
}
