/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.terasort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class TeraSortDemoIT {
  @Test
  void aSmallTeraSortGoesThroughLeasedFlowsOnly() throws Exception {
    Options options = Options.parse(List.of("--size", "5m", "--nodes", "1"));

    assertThat(TeraSortDemo.run(options)).isZero();
  }

  @Test
  void aSmallTeraSortRunsOnHostsOfTwoRacks() throws Exception {
    assumeTrue(System.getProperty("user.name").equals("root"), "network namespaces need root");
    Options options =
        Options.parse(List.of("--size", "5m", "--nodes", "2", "--network", "two-racks"));

    assertThat(TeraSortDemo.run(options)).isZero();
  }
}
