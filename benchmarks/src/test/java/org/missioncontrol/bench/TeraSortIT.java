/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One small sort of each plane on namespace hosts; no number is judged. */
@Timeout(600)
class TeraSortIT {
  @Test
  void endsWithItsJson() throws Exception {
    Printed printed =
        Printed.by("terasort", "--size", "5m", "--rounds", "1", "--nodes", "2", "--mbit", "1000");
    JsonNode json = printed.json();
    assertThat(json.at("/name").asText()).isEqualTo("terasort");
    assertThat(json.at("/ratio_shuffle").isNumber()).isTrue();
    assertThat(json.at("/ratio_job").asDouble()).isPositive();
  }
}
