/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One small sort of each plane on namespace hosts; no number is judged. */
@Timeout(600)
class TeraSortIT {
  private static final int CANNOT_RUN = 3;

  @Test
  void endsWithItsJson() throws Exception {
    Printed printed =
        Printed.by("terasort", "--size", "5m", "--rounds", "1", "--nodes", "2", "--mbit", "1000");
    Assumptions.assumeTrue(printed.exit() != CANNOT_RUN, "no root or network namespaces here");
    assertThat(printed.exit()).isZero();
    List<String> lines = printed.lines();
    JsonNode json = new ObjectMapper().readTree(lines.get(lines.size() - 1));
    assertThat(json.at("/name").asText()).isEqualTo("terasort");
    assertThat(json.at("/ratio_shuffle").isNumber()).isTrue();
    assertThat(json.at("/ratio_job").asDouble()).isPositive();
  }
}
