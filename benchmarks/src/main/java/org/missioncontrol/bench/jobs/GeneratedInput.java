/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.jobs;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** Input that comes from a seed: one split per map, each with its own stream. Immutable. */
public final class GeneratedInput extends InputFormat<Text, Text> {
  static final String MAPS = "mission-control.bench.maps";
  static final String BYTES = "mission-control.bench.bytes-per-map";
  static final String SEED = "mission-control.bench.seed";
  static final String GATE = "mission-control.bench.gate";
  static final String GATE_EACH = "mission-control.bench.gate-for-each";
  static final String HELD_FROM = "mission-control.bench.held-from";

  @Override
  public List<InputSplit> getSplits(JobContext context) {
    int maps = context.getConfiguration().getInt(MAPS, 1);
    return IntStream.range(0, maps).<InputSplit>mapToObj(GeneratedSplit::new).toList();
  }

  @Override
  public RecordReader<Text, Text> createRecordReader(InputSplit split, TaskAttemptContext context)
      throws IOException, InterruptedException {
    int map = ((GeneratedSplit) split).map();
    Configuration conf = context.getConfiguration();
    String gate = conf.get(GATE);
    if (gate != null && map >= conf.getInt(HELD_FROM, 0)) {
      String file = conf.getBoolean(GATE_EACH, false) ? gate + "." + map : gate;
      Gate.awaitFile(java.nio.file.Path.of(file), context);
    }
    return new GeneratedRecords(map, conf.getLong(SEED, 0), conf.getLong(BYTES, 0));
  }
}
