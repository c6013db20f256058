/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.conf;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class JobGraphConfigTest {
  private final Configuration conf = new Configuration(false);

  @Test
  void cacheFilesAndArchivesAreCounted() {
    assertThat(JobGraphConfig.from(conf)).isEqualTo(new JobGraphConfig(0, 0, false));
    conf.set("mapreduce.job.cache.files", "hdfs://a/b#b, hdfs://a/c");
    conf.set("mapreduce.job.cache.archives", "hdfs://a/d.zip");
    assertThat(JobGraphConfig.from(conf)).isEqualTo(new JobGraphConfig(2, 1, false));
  }

  @Test
  void thePartitionerOfTheApiInUseMakesABroadcast() {
    conf.set("mapreduce.job.partitioner.class", BroadcastConfig.PARTITIONER);
    assertThat(BroadcastConfig.from(conf).broadcast()).isFalse();
    conf.set("mapred.mapper.new-api", "true");
    assertThat(BroadcastConfig.from(conf).broadcast()).isTrue();

    conf.set("mapred.partitioner.class", BroadcastConfig.PARTITIONER);
    conf.set("mapreduce.job.partitioner.class", "some.Other");
    assertThat(BroadcastConfig.from(conf).broadcast()).isFalse();
    conf.set("mapred.mapper.new-api", "false");
    assertThat(BroadcastConfig.from(conf).broadcast()).isTrue();
  }

  @Test
  void onlyOurReducerCanReadABroadcast() {
    assertThat(BroadcastConfig.from(conf).ourReducer()).isFalse();
    conf.set("mapreduce.job.reduce.shuffle.consumer.plugin.class", BroadcastConfig.REDUCER);
    assertThat(BroadcastConfig.from(conf).ourReducer()).isTrue();
  }
}
