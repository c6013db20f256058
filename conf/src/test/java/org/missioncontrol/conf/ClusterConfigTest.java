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

class ClusterConfigTest {
  private final Configuration conf = new Configuration(false);

  @Test
  void aSingleResourceManagerIsFoundByItsHostNameOrWebAddress() {
    conf.set("yarn.resourcemanager.hostname", "rm.example");
    assertThat(ClusterConfig.from(conf))
        .isEqualTo(new ClusterConfig(java.util.List.of("http://rm.example:8088"), 13562, false));

    conf.set("yarn.resourcemanager.webapp.address", "other.example:80");
    conf.setInt("mapreduce.shuffle.port", 99);
    conf.setBoolean("mapreduce.shuffle.ssl.enabled", true);
    assertThat(ClusterConfig.from(conf))
        .isEqualTo(new ClusterConfig(java.util.List.of("http://other.example:80"), 99, true));
  }

  @Test
  void aPairOfResourceManagersIsFoundByItsIds() {
    conf.setBoolean("yarn.resourcemanager.ha.enabled", true);
    conf.set("yarn.resourcemanager.ha.rm-ids", "a, b");
    conf.set("yarn.resourcemanager.hostname.a", "rm-a");
    conf.set("yarn.resourcemanager.webapp.https.address.b", "rm-b:443");
    conf.set("yarn.http.policy", "HTTPS_ONLY");

    assertThat(ClusterConfig.from(conf).resourceManagers())
        .containsExactly("https://rm-a:8090", "https://rm-b:443");
  }
}
