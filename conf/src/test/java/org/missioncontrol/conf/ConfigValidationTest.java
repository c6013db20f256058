/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigValidationTest {
  @Test
  void localDirectoriesMayBeFileUris() {
    Configuration conf = new Configuration(false);
    conf.set("yarn.nodemanager.local-dirs", "file:///grid/0, /grid/1");
    assertThat(ThrottleConfig.from(conf).localDirs()).containsExactly("/grid/0", "/grid/1");
  }

  @ParameterizedTest
  @CsvSource({
    "mapreduce.mission-control.weight,0",
    "mapreduce.mission-control.weight,-1",
    "mapreduce.mission-control.weight,NaN",
    "mission-control.flows.per-host,0",
    "mapreduce.mission-control.fetch.maps-per-batch,101",
    "mapreduce.mission-control.fetch.lease-target-ms,-1",
    "mapreduce.mission-control.fetch.flows-per-map-host,0",
    "mapreduce.mission-control.fetch.flows-per-map-host,17",
    "mapreduce.reduce.shuffle.parallelcopies,0",
    "mapreduce.reduce.shuffle.read.timeout,-1",
    "mapreduce.mission-control.door.timeout-ms,0",
    "mission-control.server.stall-timeout-ms,0",
    "mission-control.server.stall-timeout-ms,3s",
    "mapreduce.shuffle.port,65536",
    "mapreduce.shuffle.port,http",
    "mission-control.flows.per-host,3000000000",
    "mapreduce.reduce.shuffle.parallelcopies,many"
  })
  void aValueOutOfRangeIsRefusedByTheNameOfItsKey(String key, String value) {
    Configuration conf = new Configuration(false);
    conf.set(key, value);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> {
              TransferConfig.from(conf);
              ServerConfig.from(conf);
              FetchConfig.from(conf);
              ThrottleConfig.from(conf);
            })
        .withMessageContaining(key);
  }
}
