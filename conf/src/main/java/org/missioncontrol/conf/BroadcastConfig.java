/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.conf;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.missioncontrol.conf.Keys.Fetch;

/**
 * Whether a job's map outputs go whole to every reducer. Immutable.
 *
 * @param broadcast whether the job's partitioner is ours
 * @param ourReducer whether its reducers are ours, which alone know where to look then
 * @param reduces reduce tasks
 * @param cacheMb megabytes of map outputs that its reducers on one host keep for each other, about;
 *     0: none
 * @param encrypted whether intermediate data is encrypted, so that only the job can check it
 */
public record BroadcastConfig(
    boolean broadcast, boolean ourReducer, int reduces, int cacheMb, boolean encrypted) {
  /** Refuses numbers out of range, naming the key. */
  public BroadcastConfig {
    Checks.atLeast(Fetch.BROADCAST_CACHE_MB_KEY, 0, cacheMb);
  }

  /** The partitioner that makes a job a broadcast. */
  public static final String PARTITIONER = "org.missioncontrol.broadcast.BroadcastPartitioner";

  /** The reducer's plug-in that a broadcast needs. */
  public static final String REDUCER = "org.missioncontrol.shuffle.MissionControlShuffle";

  private static final String OLD_PARTITIONER_KEY = "mapred.partitioner.class";
  private static final String NEW_API_KEY = "mapred.mapper.new-api";

  /** Parses a job's configuration. */
  public static BroadcastConfig from(Configuration conf) {
    String key =
        conf.getBoolean(NEW_API_KEY, false)
            ? MRJobConfig.PARTITIONER_CLASS_ATTR
            : OLD_PARTITIONER_KEY;
    return new BroadcastConfig(
        conf.getTrimmed(key, "").equals(PARTITIONER),
        conf.getTrimmed(MRConfig.SHUFFLE_CONSUMER_PLUGIN, "").equals(REDUCER),
        conf.getInt(MRJobConfig.NUM_REDUCES, 1),
        Read.integer(conf, Fetch.BROADCAST_CACHE_MB_KEY, Fetch.BROADCAST_CACHE_MB_DEFAULT),
        conf.getBoolean(
            MRJobConfig.MR_ENCRYPTED_INTERMEDIATE_DATA,
            MRJobConfig.DEFAULT_MR_ENCRYPTED_INTERMEDIATE_DATA));
  }
}
