/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.jobs;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;

/**
 * A sort that needs no input: maps generate records from a seed; keys are unique, so the output's
 * bytes depend on the seed and the numbers alone. Immutable.
 *
 * @param maps map tasks
 * @param reduces reduce tasks, each with a part file of its own; 0: maps write the output
 * @param bytesPerMap what each map emits, about
 * @param seed of the generator
 * @param settings entries of the job's configuration, over the cluster's
 */
public record SortJob(
    int maps, int reduces, long bytesPerMap, long seed, Map<String, String> settings) {
  /** Copies the map and checks the numbers. */
  public SortJob {
    if (maps < 1 || reduces < 0 || bytesPerMap < 0) {
      throw new IllegalArgumentException(
          "maps " + maps + ", reduces " + reduces + ", bytesPerMap " + bytesPerMap);
    }
    settings = Map.copyOf(settings);
  }

  /** A sort with the cluster's settings. */
  public static SortJob of(int maps, int reduces, long bytesPerMap) {
    return new SortJob(maps, reduces, bytesPerMap, 42, Map.of());
  }

  /** The same with one more entry of the job's configuration. */
  public SortJob with(String key, Object value) {
    Map<String, String> more = new LinkedHashMap<>(settings);
    more.put(key, value.toString());
    return new SortJob(maps, reduces, bytesPerMap, seed, more);
  }

  /**
   * The same, but maps from an index on wait until a local file exists: reducers started early
   * (slow start 0) fetch from the others and wait, as long as the test wants.
   */
  public SortJob holdingMapsFrom(int firstHeld, java.nio.file.Path gate) {
    return with(GeneratedInput.GATE, gate.toAbsolutePath())
        .with(GeneratedInput.HELD_FROM, firstHeld)
        .with("mapreduce.job.reduce.slowstart.completedmaps", 0);
  }

  /** The same, but map number N waits until the file {@code gate.N} exists. */
  public SortJob holdingEachMap(java.nio.file.Path gate) {
    return holdingMapsFrom(0, gate).with(GeneratedInput.GATE_EACH, true);
  }

  /** The same on our reducer and our ApplicationMaster plug-in. */
  public SortJob onMissionControl() {
    return with(
            "mapreduce.job.reduce.shuffle.consumer.plugin.class",
            "org.missioncontrol.shuffle.MissionControlShuffle")
        .with(
            "yarn.app.mapreduce.am.preemption.policy",
            "org.missioncontrol.scheduler.MissionControlAmPlugin");
  }

  /** The same, but every reducer sorts all records of all maps. */
  public SortJob broadcast() {
    return with(
        "mapreduce.job.partitioner.class", "org.missioncontrol.broadcast.BroadcastPartitioner");
  }

  /** Makes the job, ready to submit. */
  public Job create(Configuration cluster, String output) throws IOException {
    Configuration conf = new Configuration(cluster);
    conf.setInt(GeneratedInput.MAPS, maps);
    conf.setLong(GeneratedInput.BYTES, bytesPerMap);
    conf.setLong(GeneratedInput.SEED, seed);
    settings.forEach(conf::set);
    Job job = Job.getInstance(conf, "sort " + maps + "x" + reduces);
    job.setInputFormatClass(GeneratedInput.class);
    job.setMapperClass(Mapper.class);
    job.setReducerClass(Reducer.class);
    job.setNumReduceTasks(reduces);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(Text.class);
    job.setOutputFormatClass(TextOutputFormat.class);
    FileOutputFormat.setOutputPath(job, new Path(output));
    return job;
  }
}
