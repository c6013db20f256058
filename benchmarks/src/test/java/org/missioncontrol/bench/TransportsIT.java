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
import org.missioncontrol.bench.net.Network;

/** Two hosts and a few transports; no number is judged. */
@Timeout(180)
class TransportsIT {
  @Test
  void endsWithItsJson() throws Exception {
    Printed printed =
        Printed.by(
            "transports --quick --rate 50 --settle 2000 --window 600 --names cubic,reno,mptcp"
                .split(" ", -1));
    JsonNode json = printed.json();
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
