/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.missioncontrol.scheduler.control.ControlReply;
import org.missioncontrol.scheduler.control.ControlRequest;
import org.missioncontrol.shuffle.server.ServedConnection;
import org.missioncontrol.shuffle.status.JobTraffic;
import org.missioncontrol.shuffle.status.StatusReport;
import org.missioncontrol.shuffle.status.StatusSite;
import org.missioncontrol.shuffle.throttle.ThrottleSnapshot.JobFlows;
import org.missioncontrol.shuffle.throttle.ThrottleSnapshot.LeasedFlow;
import org.missioncontrol.transport.HostCapabilities;
import org.missioncontrol.transport.HostTraits;

class ControlRouterTest {
  private static final StatusReport REPORT =
      new StatusReport(
          "1.0",
          "node7",
          13562,
          60_000,
          new StatusReport.Door("/local/door", null),
          new HostCapabilities(true, "cubic", List.of("cubic", "reno")),
          HostTraits.UNKNOWN,
          new StatusReport.Sharing("fifo", "/etc/rules", null),
          10,
          1,
          3,
          List.of(
              new JobFlows(
                  "job_1_0001",
                  "alice",
                  5,
                  2f,
                  2,
                  1.5f,
                  true,
                  "broadcast",
                  4,
                  3,
                  List.of(
                      new LeasedFlow(
                          7,
                          "attempt_1",
                          "node8:13562",
                          "reno",
                          "reno",
                          0,
                          null,
                          12,
                          "rule.1",
                          null)),
                  List.of())),
          List.of(new JobTraffic("job_1_0001", "alice", 99, 1_000)),
          List.of(
              new ServedConnection(
                  "job_1_0001", "10.0.0.8:4711", "reno", "reno", 0, 99, false, null, null)),
          List.of(),
          Map.of("OutputsSent", 5L));

  private final ControlRouter router =
      new ControlRouter(
          new StatusSite(() -> REPORT), ControlRouterTest::transfer, ControlRouterTest::order);

  @Test
  void theStatusIsJsonWithBudgetJobsFlowsServedConnectionsAndCounters() throws Exception {
    ControlReply reply = ask(router, request("GET", "/missionControl/v1/status"));

    assertThat(reply.status()).isEqualTo(200);
    JsonNode json = new ObjectMapper().readTree(reply.body());
    assertThat(json.at("/version").asText()).isEqualTo("1.0");
    assertThat(json.at("/host").asText()).isEqualTo("node7");
    assertThat(json.at("/port").asInt()).isEqualTo(13562);
    assertThat(json.at("/door/path").asText()).isEqualTo("/local/door");
    assertThat(json.at("/capabilities/congestionControls/1").asText()).isEqualTo("reno");
    assertThat(json.at("/budget").asInt()).isEqualTo(10);
    assertThat(json.at("/inUse").asInt()).isEqualTo(1);
    assertThat(json.at("/jobs/0/transferClass").asText()).isEqualTo("broadcast");
    assertThat(json.at("/jobs/0/share").asInt()).isEqualTo(3);
    assertThat(json.at("/jobs/0/demand").asInt()).isEqualTo(4);
    assertThat(json.at("/jobs/0/weight").asDouble()).isEqualTo(2);
    assertThat(json.at("/jobs/0/wantedWeight").asDouble()).isEqualTo(5);
    assertThat(json.at("/jobs/0/weightCap").asDouble()).isEqualTo(2);
    assertThat(json.at("/sharing/policy").asText()).isEqualTo("fifo");
    assertThat(json.at("/sharing/rulesFile").asText()).isEqualTo("/etc/rules");
    assertThat(json.at("/jobs/0/flows/0/congestionControl").asText()).isEqualTo("reno");
    assertThat(json.at("/uptimeMs").asLong()).isEqualTo(60_000);
    assertThat(json.at("/traffic/0/sentBytes").asLong()).isEqualTo(99);
    assertThat(json.at("/traffic/0/receivedBytes").asLong()).isEqualTo(1_000);
    assertThat(json.at("/served/0/bytesSent").asInt()).isEqualTo(99);
    assertThat(json.at("/counters/OutputsSent").asInt()).isEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/missionControl/v1/status,200",
    "PUT,/missionControl/v1/status,405",
    "PUT,/missionControl/v1/transfer,299",
    "DELETE,/missionControl/v1/transfer,299",
    "PUT,/missionControl/v1/orders/job_1_0001,298",
    "GET,/missionControl/v1/,200",
    "PUT,/missionControl/v1/,405",
    "GET,/missionControl/v1/page.js,200",
    "GET,/missionControl/v1/page.css,200",
    "GET,/missionControl,302",
    "GET,/missionControl/,302",
    "GET,/missionControl/v1,302",
    "GET,/missionControls,404",
    "GET,/missionControl/v1/statusses,404",
    "GET,/missionControl/v1/transfer/job_1_0001,404"
  })
  void everyPathHasItsAnswer(String method, String path, int status) {
    assertThat(ask(router, request(method, path)).status()).isEqualTo(status);
  }

  @Test
  void anUnknownPathIsToldWhichThereAre() {
    assertThat(ask(router, request("GET", "/missionControl/v1/no")).body())
        .contains("/missionControl/v1/status", "/missionControl/v1/transfer");
  }

  @Test
  void theStatusCanBeSwitchedOff() {
    ControlReply reply =
        ask(
            new ControlRouter(
                new StatusSite(null), ControlRouterTest::transfer, ControlRouterTest::order),
            request("GET", "/missionControl/v1/status"));

    assertThat(reply.status()).isEqualTo(404);
    assertThat(reply.body()).contains("mission-control.status.enabled");
  }

  @Test
  void thereIsNoStatusBeforeTheServiceHasStarted() {
    ControlReply reply =
        ask(
            new ControlRouter(
                new StatusSite(() -> null), ControlRouterTest::transfer, ControlRouterTest::order),
            request("GET", "/missionControl/v1/status"));

    assertThat(reply.status()).isEqualTo(503);
  }

  @Test
  void theVersionIsThatOfTheBuild() {
    assertThat(Version.read()).matches("\\d+\\.\\d+\\.\\d+.*");
  }

  private static CompletableFuture<ControlReply> transfer(ControlRequest request) {
    return CompletableFuture.completedFuture(new ControlReply(299, request.method(), null));
  }

  private static ControlReply ask(ControlRouter router, ControlRequest request) {
    return router.handle(request).join();
  }

  private static ControlReply order(ControlRequest request) {
    return new ControlReply(298, request.method(), null);
  }

  private static ControlRequest request(String method, String path) {
    return new ControlRequest(method, path, null, null, null, null, "");
  }
}
