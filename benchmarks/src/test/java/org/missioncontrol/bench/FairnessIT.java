/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two hosts and a few kilobytes; no number is judged. */
@Timeout(180)
class FairnessIT {
  @Test
  void endsWithItsJsonAndLeavesNoNamespace() throws Exception {
    Printed printed =
        Printed.by("fairness --quick --rate 100 --window 300 --small 1 --cases 2:1".split(" ", -1));
    JsonNode json = printed.json();
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
