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
import org.missioncontrol.bench.net.Network;

/** Two hosts and a few transports; no number is judged. */
@Timeout(180)
class TransportsIT {
  private static final int CANNOT_RUN = 3;

  @Test
  void endsWithItsJson() throws Exception {
    Printed printed =
        Printed.by(
            "transports --quick --rate 50 --settle 2000 --window 600 --names cubic,reno,mptcp"
                .split(" ", -1));
    Assumptions.assumeTrue(
        printed.exit() != CANNOT_RUN, "no root, network namespaces or clang here");
    assertThat(printed.exit()).isZero();
    List<String> lines = printed.lines();
    JsonNode json = new ObjectMapper().readTree(lines.get(lines.size() - 1));
    assertThat(json.at("/name").asText()).isEqualTo("transports");
    assertThat(json.at("/transports").fieldNames()).toIterable().startsWith("cubic", "reno");
    assertThat(json.at("/transports/reno").fieldNames())
        .toIterable()
        .containsExactly(
            "client_cc",
            "server_cc",
            "ecn_negotiated",
            "ce_marks",
            "subflows",
            "tls",
            "mb_s",
            "ratio_to_tcp",
            "queue_bytes_p95");
    if (Network.hasMptcp()) {
      assertThat(json.at("/transports/mptcp/subflows").asInt()).isEqualTo(2);
    }
  }
}
