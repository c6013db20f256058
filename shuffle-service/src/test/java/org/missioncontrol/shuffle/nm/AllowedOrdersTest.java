/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.missioncontrol.conf.AdminRules;
import org.missioncontrol.scheduler.control.TransferOrder;
import org.missioncontrol.scheduler.security.JobSecrets;
import org.missioncontrol.transport.HostCapabilities;

class AllowedOrdersTest {
  private static final JobSecrets ALICES =
      new JobSecrets() {
        @Override
        public @Nullable SecretKey secret(String job) {
          return null;
        }

        @Override
        public String user(String job) {
          return "alice";
        }
      };

  private static AllowedOrders allowing(AdminRules rules) {
    return new AllowedOrders(
        new HostCapabilities(true, "cubic", List.of("reno", "cubic")),
        ALICES,
        job -> "batch",
        () -> rules);
  }

  @Test
  void aTransportOfTheHostAndAnyWeightAreAllowedWithoutRules() {
    AllowedOrders orders = allowing(AdminRules.NONE);
    assertThat(orders.refusal("job_1_1", TransferOrder.of("reno", 1e6f))).isNull();
    assertThat(orders.refusal("job_1_1", TransferOrder.of(null, null))).isNull();
  }

  @Test
  void aTransportThatTheHostLacksIsRefusedWithThoseThatItHas() {
    assertThat(allowing(AdminRules.NONE).refusal("job_1_1", TransferOrder.of("vegas", null)))
        .contains("vegas", "reno", "cubic");
  }

  @Test
  void aWeightAboveTheCapIsRefusedByUserQueueAndCap(@TempDir Path directory) throws Exception {
    AllowedOrders orders =
        allowing(
            AdminRules.parse(
                Files.writeString(
                    directory.resolve("rules.properties"),
                    "user.alice.weight-cap = 8\nqueue.batch.weight-cap = 4\n")));
    assertThat(orders.refusal("job_1_1", TransferOrder.of(null, 4f))).isNull();
    assertThat(orders.refusal("job_1_1", TransferOrder.of(null, 4.5f)))
        .contains("4.5", "alice", "batch", "4.0");
  }
}
