/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.api.ApplicationInitializationContext;
import org.apache.hadoop.yarn.server.api.ApplicationTerminationContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.missioncontrol.shuffle.MissionControlShuffleHandler;
import org.missioncontrol.shuffle.server.ServerCounter;
import org.missioncontrol.shuffle.throttle.ThrottleCounter;
import org.missioncontrol.transport.Channels;

/** The service as a NodeManager and a stock reducer see it. */
class ServiceTest {
  private static final String MAP_0 = "attempt_1111111111111_0001_m_000000_0";
  private static final String MAP_1 = "attempt_1111111111111_0001_m_000001_0";
  private static final String LOST = "attempt_1111111111111_0001_m_000404_0";

  @TempDir Path root;

  @BeforeEach
  void writeMapOutputs() throws Exception {
    DefaultMetricsSystem.initialize("NodeManager");
    ServiceRun.outputs(root).write(MAP_0, "a0", "b0");
    ServiceRun.outputs(root).write(MAP_1, "a1", "b1");
  }

  @AfterEach
  void stopMetrics() {
    DefaultMetricsSystem.shutdown();
  }

  @Test
  void servesSeveralMapsInOneRequestAndSeveralRequestsOnOneConnection() throws Exception {
    try (ServiceRun run = ServiceRun.ours(root)) {
      run.addAlice();
      for (int i = 0; i < 3; i++) {
        assertThat(run.client().fetch(1, true, MAP_1, MAP_0))
            .containsEntry(MAP_1, "b1")
            .containsEntry(MAP_0, "b0");
      }
      assertThat(metric("MissionControl", "ConnectionsOpened")).isEqualTo(1);
    }
  }

  @Test
  void everyContainerMayInitialiseTheJobAndOneEndIsEnough() throws Exception {
    try (ServiceRun run = ServiceRun.ours(root)) {
      for (int container = 0; container < 3; container++) {
        run.addAlice();
      }
      assertThat(run.client().status(MAP_0)).isEqualTo(200);
      run.stopAlice();
      assertThat(run.client().status(MAP_0)).isEqualTo(401);
    }
  }

  @Test
  void aSmallOutputIsReadOnceForAllReducers() throws Exception {
    try (ServiceRun run = ServiceRun.ours(root)) {
      run.addAlice();
      assertThat(run.client().fetch(0, false, MAP_0)).containsEntry(MAP_0, "a0");
      deleteOutputs();
      assertThat(run.client().fetch(1, false, MAP_0)).containsEntry(MAP_0, "b0");
      assertThat(run.client().status(MAP_0)).as("when all reducers have it").isEqualTo(500);
    }
  }

  @Test
  void aSmallOutputIsForgottenWithItsJob() throws Exception {
    try (ServiceRun run = ServiceRun.ours(root)) {
      run.addAlice();
      assertThat(run.client().fetch(0, false, MAP_0)).containsEntry(MAP_0, "a0");
      run.stopAlice();
      deleteOutputs();
      run.addAlice();
      assertThat(run.client().status(MAP_0)).isEqualTo(500);
    }
  }

  private void deleteOutputs() throws IOException {
    try (var found = Files.walk(root)) {
      for (Path file : found.filter(path -> path.endsWith("file.out")).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void anUnknownApplicationMayEndAndRubbishServiceDataIsRefusedQuietly() throws Exception {
    try (ServiceRun run = ServiceRun.ours(root)) {
      run.addAlice();
      ApplicationId other = ApplicationId.newInstance(1, 404);
      run.service.stopApplication(new ApplicationTerminationContext(other));
      for (ByteBuffer data :
          new ByteBuffer[] {null, ByteBuffer.allocate(0), ByteBuffer.wrap("{}".getBytes(UTF_8))}) {
        run.service.initializeApplication(
            new ApplicationInitializationContext("mallory", other, data));
      }
      assertThat(run.client().status(MAP_0)).as("the others").isEqualTo(200);
    }
  }

  @Test
  void metricsAreExactAfterOutputsAndFailuresOnSeveralConnections() throws Exception {
    try (ServiceRun run = ServiceRun.ours(root)) {
      run.addAlice();
      for (int i = 0; i < 4; i++) {
        run.client().fetch(0, false, MAP_0, MAP_1);
      }
      assertThat(run.client().status(LOST)).isEqualTo(500);

      await()
          .untilAsserted(
              () -> assertThat(metric("ShuffleMetrics", "ShuffleConnections")).isEqualTo(0));
      assertThat(metric("ShuffleMetrics", "ShuffleOutputsOK")).isEqualTo(8);
      assertThat(metric("ShuffleMetrics", "ShuffleOutputsFailed")).isEqualTo(1);
      assertThat(metric("ShuffleMetrics", "ShuffleOutputBytes")).isEqualTo(16);
    }
  }

  @Test
  void theStatusTellsPortBudgetAndCountersAndNoSecret() throws Exception {
    Configuration conf = ServiceRun.conf(root);
    conf.setInt("mission-control.flows.per-host", 7);
    try (ServiceRun run = ServiceRun.ours(root, conf)) {
      run.addAlice();
      run.client().fetch(0, false, MAP_0, MAP_1);

      String body = run.client().get("/missionControl/v1/status");

      JsonNode json = new ObjectMapper().readTree(body);
      assertThat(json.at("/port").asInt()).isEqualTo(run.port());
      assertThat(json.at("/budget").asInt()).isEqualTo(7);
      assertThat(json.at("/inUse").asInt()).isZero();
      assertThat(json.at("/knownJobs").asInt()).isEqualTo(1);
      assertThat(json.at("/counters/OutputsSent").asInt()).isEqualTo(2);
      assertThat(json.at("/counters/DoorLeasesGranted").asInt(-1)).isZero();
      assertThat(json.at("/counters"))
          .as("no two of the same name")
          .hasSize(ServerCounter.values().length + ThrottleCounter.values().length);
      assertThat(json.at("/traffic/0/job").asText()).isEqualTo(Jobs.ID);
      assertThat(json.at("/traffic/0/user").asText()).isEqualTo(Jobs.USER);
      assertThat(json.at("/traffic/0/sentBytes").asInt()).isEqualTo(4);
      byte[] secret = Jobs.SECRET.getBytes(UTF_8);
      for (String path : List.of("", "status", "metrics", "page.js", "page.css", "page.svg")) {
        assertThat(run.client().get("/missionControl/v1/" + path))
            .doesNotContain(Jobs.SECRET)
            .doesNotContain(Base64.getEncoder().encodeToString(secret))
            .doesNotContainIgnoringCase(HexFormat.of().formatHex(secret));
      }
      run.stopAlice();
      assertThat(status(run).at("/traffic")).as("an ended job").isEmpty();
    }
  }

  @Test
  void theStatusTellsWhereTheDoorIsOrWhyThereIsNone() throws Exception {
    assumeThat(Channels.detect().capabilities().epoll()).isTrue();
    Configuration conf = ServiceRun.conf(root);
    try (ServiceRun run = ServiceRun.ours(root, conf)) {
      assertThat(Path.of(status(run).at("/door/path").asText())).exists();
      assertThat(status(run).at("/door/closedBecause").isNull()).isTrue();
    }
    conf.setBoolean("mission-control.door.enabled", false);
    try (ServiceRun run = ServiceRun.ours(root, conf)) {
      assertThat(status(run).at("/door/path").isNull()).isTrue();
      assertThat(status(run).at("/door/closedBecause").asText()).contains("disabled");
    }
  }

  @Test
  void aDoorThatCannotBeOpenedDoesNotKeepMapOutputsFromBeingServed() throws Exception {
    assumeThat(Channels.detect().capabilities().epoll()).isTrue();
    Configuration conf = ServiceRun.conf(root);
    conf.set("mission-control.door.directory", root.resolve("not a directory").toString());
    Files.writeString(root.resolve("not a directory"), "x");
    try (ServiceRun run = ServiceRun.ours(root, conf)) {
      run.addAlice();
      assertThat(run.client().fetch(0, false, MAP_0)).containsEntry(MAP_0, "a0");
      assertThat(status(run).at("/door/path").isNull()).isTrue();
      assertThat(status(run).at("/door/closedBecause").asText()).contains("not a directory");
    }
  }

  @Test
  void theStatusCanBeSwitchedOff() throws Exception {
    Configuration conf = ServiceRun.conf(root);
    conf.setBoolean("mission-control.status.enabled", false);
    try (ServiceRun run = ServiceRun.ours(root, conf)) {
      for (String path : List.of("", "/", "/v1/", "/v1/status", "/v1/metrics", "/v1/page.js")) {
        assertThat(run.client().open("/missionControl" + path).getResponseCode()).isEqualTo(404);
      }
    }
  }

  @Test
  void aPortInUseFailsTheStartAndLeavesNothingOpen() throws Exception {
    ServiceRun.ours(root).close();
    Set<String> threads = threads();
    Set<String> files = files();
    List<String> descriptors = descriptors();
    try (ServerSocket taken = new ServerSocket(0)) {
      Configuration conf = ServiceRun.conf(root);
      conf.setInt("mapreduce.shuffle.port", taken.getLocalPort());

      assertThatThrownBy(() -> ServiceRun.ours(root, conf))
          .hasMessageContaining(String.valueOf(taken.getLocalPort()));
    }
    assertThat(beans()).doesNotContain("ShuffleMetrics", "MissionControl");
    assertThat(files()).isEqualTo(files);
    assertThat(threads).containsAll(threads());
    assertThat(openedSince(descriptors)).isEmpty();
    ServiceRun.ours(root).close();
  }

  @Test
  void afterStopNeitherThreadNorBeanNorFileIsLeft() throws Exception {
    ServiceRun.ours(root).close();
    Set<String> threads = threads();
    Set<String> files = files();
    List<String> descriptors = descriptors();

    ServiceRun run = ServiceRun.ours(root);
    run.addAlice();
    run.client().fetch(0, true, MAP_0);
    assertThat(beans()).contains("ShuffleMetrics", "MissionControl");
    run.close();

    assertThat(run.service.getMetaData()).isNull();
    assertThat(beans()).doesNotContain("ShuffleMetrics", "MissionControl");
    assertThat(files()).isEqualTo(files);
    assertThat(threads).containsAll(threads());
    assertThat(openedSince(descriptors)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "mapreduce.shuffle.port,-1",
    "mapreduce.shuffle.port,65536",
    "mapreduce.shuffle.port,http",
    "mission-control.flows.per-host,many",
    "mission-control.flows.per-host,0"
  })
  void aBadValueIsRefusedAtInitByTheNameOfItsKey(String key, String value) throws Exception {
    Configuration conf = ServiceRun.conf(root);
    conf.set(key, value);

    try (MissionControlShuffleHandler service = new MissionControlShuffleHandler()) {
      assertThatThrownBy(() -> service.init(conf))
          .hasMessageContaining(key)
          .hasMessageContaining(value);
    }
  }

  private static JsonNode status(ServiceRun run) throws Exception {
    return new ObjectMapper().readTree(run.client().get("/missionControl/v1/status"));
  }

  /** From the source itself: the beans remember for ten seconds what they said last. */
  private static long metric(String source, String name) {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    DefaultMetricsSystem.instance().getSource(source).getMetrics(collector, true);
    return StreamSupport.stream(collector.getRecords().get(0).metrics().spliterator(), false)
        .filter(metric -> metric.name().equals(name))
        .mapToLong(metric -> metric.value().longValue())
        .findFirst()
        .orElseThrow();
  }

  private static Set<String> beans() throws Exception {
    return ManagementFactory.getPlatformMBeanServer()
        .queryNames(new ObjectName("Hadoop:service=NodeManager,*"), null)
        .stream()
        .map(name -> name.getKeyProperty("name"))
        .collect(Collectors.toSet());
  }

  /** Without those that Netty, the JDK and Awaitility keep for the whole JVM. */
  private static Set<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(
            name -> !name.matches("globalEventExecutor.*|awaitility.*|Keep-Alive.*|process re.*"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Other tests' event loops may close theirs meanwhile: only what is open beyond {@code before}
   * counts.
   */
  private static List<String> openedSince(List<String> before) throws Exception {
    List<String> now = descriptors();
    before.forEach(now::remove);
    return now;
  }

  /** Local files, and the pollers and events of event loops. */
  private static List<String> descriptors() throws Exception {
    List<String> targets = new ArrayList<>();
    try (DirectoryStream<Path> links = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path link : links) {
        if (Files.isSymbolicLink(link)) {
          targets.add(Files.readSymbolicLink(link).toString());
        }
      }
    }
    targets.removeIf(target -> target.matches("(socket|pipe):.*|/dev/.*|/proc/.*|.*\\.jar"));
    Collections.sort(targets);
    return targets;
  }

  private Set<String> files() throws Exception {
    try (var found = Files.walk(root)) {
      return found
          .map(file -> root.relativize(file).toString())
          .filter(file -> !file.startsWith("recovery/"))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
