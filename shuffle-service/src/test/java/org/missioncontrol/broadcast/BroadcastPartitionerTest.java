/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.broadcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.util.ReflectionUtils;
import org.junit.jupiter.api.Test;
import org.missioncontrol.conf.BroadcastConfig;
import org.missioncontrol.shuffle.MissionControlShuffle;

class BroadcastPartitionerTest {
  private final JobConf job = new JobConf(false);

  @Test
  void everyRecordGoesToTheFirstPartition() {
    BroadcastPartitioner<String, String> partitioner = new BroadcastPartitioner<>();
    assertThat(partitioner.getPartition("a", "b", 7)).isZero();
    assertThat(partitioner.getPartition("z", "b", 7)).isZero();
  }

  @Test
  void theNamesInTheConfigurationAreThoseOfTheClasses() {
    assertThat(BroadcastConfig.PARTITIONER).isEqualTo(BroadcastPartitioner.class.getName());
    assertThat(BroadcastConfig.REDUCER).isEqualTo(MissionControlShuffle.class.getName());
  }

  @Test
  void aJobWithStockReducersFailsInItsFirstMap() {
    assertThatThrownBy(() -> ReflectionUtils.newInstance(BroadcastPartitioner.class, job))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(BroadcastConfig.REDUCER)
        .hasMessageContaining("would get no record");
  }

  @Test
  void aJobWithOurReducersMayUseEitherApi() {
    job.set("mapreduce.job.reduce.shuffle.consumer.plugin.class", BroadcastConfig.REDUCER);
    job.setPartitionerClass(BroadcastPartitioner.class);
    assertThat(BroadcastConfig.from(job).broadcast()).isTrue();
    assertThat(ReflectionUtils.newInstance(job.getPartitionerClass(), job).getPartition(1, 2, 3))
        .isZero();
  }
}
