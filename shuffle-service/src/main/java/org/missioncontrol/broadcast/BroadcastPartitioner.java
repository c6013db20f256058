/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.broadcast;

import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.Partitioner;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.conf.BroadcastConfig;

/**
 * Makes a job's map outputs a broadcast: every reducer gets every record of every map.
 *
 * <pre>{@code
 * job.setPartitionerClass(BroadcastPartitioner.class); // or JobConf.setPartitionerClass
 * }</pre>
 *
 * <p>It puts everything into partition 0, and Mission Control's reducers all read that one; a stock
 * reducer would read its own, empty one. So the maps of a job that has other reducers fail at once,
 * rather than lose records. For both of MapReduce's APIs. Owned by the map task.
 */
public final class BroadcastPartitioner<K, V> extends Partitioner<K, V>
    implements org.apache.hadoop.mapred.Partitioner<K, V>, Configurable {
  private @Nullable Configuration conf;

  /** Hadoop makes it by reflection. */
  public BroadcastPartitioner() {}

  @Override
  public int getPartition(K key, V value, int partitions) {
    return 0;
  }

  @Override
  public void configure(JobConf job) {
    setConf(job);
  }

  /**
   * Called before the first record.
   *
   * @throws IllegalArgumentException if the job's reducers could not read a broadcast
   */
  @Override
  public void setConf(Configuration conf) {
    this.conf = conf;
    if (conf != null && !BroadcastConfig.from(conf).ourReducer()) {
      throw new IllegalArgumentException(
          "a job with BroadcastPartitioner needs"
              + " mapreduce.job.reduce.shuffle.consumer.plugin.class="
              + BroadcastConfig.REDUCER
              + "; with any other, all reducers but the first would get no record");
    }
  }

  @Override
  public @Nullable Configuration getConf() {
    return conf;
  }
}
