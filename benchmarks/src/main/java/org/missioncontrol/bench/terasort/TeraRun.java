/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.terasort;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.terasort.TeraGen;
import org.apache.hadoop.examples.terasort.TeraSort;
import org.apache.hadoop.examples.terasort.TeraValidate;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.missioncontrol.bench.cluster.LocalCluster;

/** The three jobs on one cluster, on one data set. Owned by the main thread. */
final class TeraRun {
  static final int ROW_BYTES = 100;

  private static final String INPUT = "/terasort/input";
  private static final String CHECKSUM_GROUP =
      "org.apache.hadoop.examples.terasort.TeraGen$Counters";
  private static final long MAX_BLOCK = 64 << 20;
  private static final long MIN_BLOCK = 1 << 20;
  private static final int SPLITS = 8;

  private final LocalCluster cluster;
  private final Options options;
  private final PhaseRunner runner;
  private long generatedChecksum;

  TeraRun(LocalCluster cluster, Options options, Console console) {
    this.cluster = cluster;
    this.options = options;
    runner = new PhaseRunner(cluster, console);
  }

  /** Writes the rows. */
  Phase generate() throws IOException, InterruptedException {
    Configuration conf = configuration();
    conf.setInt("mapreduce.job.maps", options.nodes());
    String rows = Long.toString(options.bytes() / ROW_BYTES);
    Phase phase = runner.run("TeraGen", conf, new TeraGen(), rows, INPUT);
    generatedChecksum = phase.counter(CHECKSUM_GROUP, "CHECKSUM");
    return phase;
  }

  /** Sorts them into a directory. */
  Phase sort(Plane plane, String output) throws IOException, InterruptedException {
    Configuration conf = configuration();
    conf.setInt("mapreduce.job.reduces", options.reduces());
    plane.configure(conf, options.transport());
    return runner.run("TeraSort", conf, new TeraSort(), INPUT, output);
  }

  /** Reads a sorted directory. */
  Phase validate(String output) throws IOException, InterruptedException {
    return runner.run("TeraValidate", configuration(), new TeraValidate(), output, report(output));
  }

  /** What TeraValidate found. */
  Verdict verdict(String output) throws IOException {
    return Verdict.read(
        FileSystem.get(cluster.configuration()), new Path(report(output)), generatedChecksum);
  }

  /** Frees the room of one sort. */
  void discard(String output) throws IOException {
    FileSystem files = FileSystem.get(cluster.configuration());
    files.delete(new Path(output), true);
    files.delete(new Path(report(output)), true);
  }

  private static String report(String output) {
    return output + "-report";
  }

  private Configuration configuration() {
    Configuration conf = cluster.configuration();
    long block = Math.min(MAX_BLOCK, Math.max(MIN_BLOCK, options.bytes() / SPLITS));
    conf.setLong("dfs.blocksize", block / MIN_BLOCK * MIN_BLOCK);
    return conf;
  }
}
