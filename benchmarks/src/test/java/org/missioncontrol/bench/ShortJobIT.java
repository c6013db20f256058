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

/** One job of each plane on a cluster of real JVMs; no number is judged. */
@Timeout(600)
class ShortJobIT {
  @Test
  void endsWithItsJson() throws Exception {
    Printed printed = Printed.by("short-job", "--rounds", "1", "--spread", "500");
    JsonNode json = printed.json();
    assertThat(json.at("/name").asText()).isEqualTo("short-job");
    assertThat(json.at("/ratio").isNumber()).isTrue();
    assertThat(json.at("/ours_ms").asDouble()).isPositive();
    assertThat(json.at("/stock_ms").asDouble()).isPositive();
  }
}
