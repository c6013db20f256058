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
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two hosts and a few kilobytes; no number is judged. */
@Timeout(180)
class FairnessIT {
  private static final int CANNOT_RUN = 3;

  @Test
  void endsWithItsJsonAndLeavesNoNamespace() throws Exception {
    Printed printed =
        Printed.by("fairness --quick --rate 100 --window 300 --small 1 --cases 2:1".split(" ", -1));
    Assumptions.assumeTrue(printed.exit() != CANNOT_RUN, "no root or no network namespaces here");
    assertThat(printed.exit()).isZero();
    List<String> lines = printed.lines();
    JsonNode json = new ObjectMapper().readTree(lines.get(lines.size() - 1));
    assertThat(json.fieldNames())
        .toIterable()
        .containsExactly(
            "name",
            "jain_weighted_min",
            "share_error_max",
            "reaction_ms_median",
            "reaction_ms_max",
            "utilisation_min",
            "small_job_speedup");
    assertThat(json.get("utilisation_min").asDouble()).isPositive();
    assertThat(namespaces()).doesNotContain("mcb" + ProcessHandle.current().pid());
  }

  private static String namespaces() throws Exception {
    Process list = new ProcessBuilder("ip", "netns", "list").start();
    return new String(list.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
