/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.missioncontrol.scheduler.control.ControlProtocol;

/** The administrator's rules in the running service. */
class RulesTest {
  @TempDir Path root;

  @Test
  void theFileWinsOverTheConfigurationAndIsFollowedWhileItIsGood() throws Exception {
    Path file = Files.writeString(root.resolve("rules.properties"), "policy = fifo\n");
    Configuration conf = ServiceRun.conf(root);
    conf.set("mission-control.policy", "priority");
    conf.set("mission-control.rules-file", file.toString());
    try (ServiceRun run = ServiceRun.ours(root, conf)) {
      assertThat(sharing(run).at("/policy").asText()).isEqualTo("fifo");
      assertThat(sharing(run).at("/rulesFile").asText()).isEqualTo(file.toString());
      assertThat(sharing(run).at("/rulesProblem").isNull()).isTrue();

      Files.writeString(file, "policy = lottery\n");
      awaitSharing(run, "/rulesProblem", "line 1: policy is none of");
      assertThat(sharing(run).at("/policy").asText()).isEqualTo("fifo");

      Files.writeString(file, "user.alice.weight = 2\n");
      awaitSharing(run, "/policy", "priority");
      assertThat(sharing(run).at("/rulesProblem").isNull()).isTrue();
    }
  }

  @Test
  void withoutAFileTheConfigurationsPolicyIsInForce() throws Exception {
    Configuration conf = ServiceRun.conf(root);
    conf.set("mission-control.policy", "performance-centric-by-class");
    try (ServiceRun run = ServiceRun.ours(root, conf)) {
      assertThat(sharing(run).at("/policy").asText()).isEqualTo("performance-centric-by-class");
      assertThat(sharing(run).at("/rulesFile").isNull()).isTrue();
    }
  }

  @Test
  void anUnknownPolicyInTheConfigurationIsRefusedByKey() {
    Configuration conf = ServiceRun.conf(root);
    conf.set("mission-control.policy", "lottery");
    assertThatThrownBy(() -> ServiceRun.ours(root, conf).close())
        .hasStackTraceContaining("mission-control.policy is none of fair, fifo")
        .hasStackTraceContaining("lottery");
  }

  private static JsonNode sharing(ServiceRun run) throws IOException {
    return new ObjectMapper()
        .readTree(run.client().get(ControlProtocol.STATUS_PATH))
        .at("/sharing");
  }

  private static void awaitSharing(ServiceRun run, String pointer, String text) {
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(sharing(run).at(pointer).asText()).contains(text));
  }
}
