/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.crypto.SecretKey;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.missioncontrol.conf.JobGraphConfig;
import org.missioncontrol.conf.Keys;
import org.missioncontrol.scheduler.control.ControlReply;
import org.missioncontrol.scheduler.control.ControlRequest;
import org.missioncontrol.scheduler.control.ControlServer;
import org.missioncontrol.scheduler.control.ControlServers;
import org.missioncontrol.scheduler.control.RecordingRegistry;
import org.missioncontrol.scheduler.control.Secrets;
import org.slf4j.LoggerFactory;

class MissionControllerTest {
  private static final JobGraphConfig SHUFFLE = new JobGraphConfig(0, 0, false);

  private static final SecretKey SECRET = Secrets.key("secret");
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  private final Complaints complaints = new Complaints(LoggerFactory.getLogger(getClass()));
  private final AtomicInteger ends = new AtomicInteger();
  private final FakeApp app = new FakeApp();
  private final RecordingRegistry registry = new RecordingRegistry();
  private long announceIntervalMs = 20;
  private MissionController controller;

  @AfterEach
  void close() {
    controller.close();
    assertThat(controller.isRunning()).isFalse();
    assertThat(ends).hasValue(1);
  }

  @Test
  void aJobIsAnnouncedWhileItHasReducersAndWithdrawnWithTheLast() throws IOException {
    try (FakeNodeManager nodeManager = ours()) {
      reduceOn(nodeManager.node());
      start();
      await().atMost(DEADLINE).until(() -> registry.announced().size() >= 3);
      assertThat(registry.announced())
          .allSatisfy(
              transfer -> {
                assertThat(transfer.job()).isEqualTo(FakeApp.JOB);
                assertThat(transfer.weight()).isEqualTo(2);
                assertThat(transfer.transport()).isEqualTo("cubic");
                assertThat(transfer.machines()).isEqualTo(1);
              });
      await().atMost(DEADLINE).until(() -> controller.views().containsKey(nodeManager.node()));
      app.noReduces();
      await().atMost(DEADLINE).until(() -> registry.withdrawn().contains(FakeApp.JOB));
      assertThat(controller.isRunning()).isTrue();
    }
  }

  @Test
  void theControllerEndsWithTheJob() throws IOException {
    try (FakeNodeManager nodeManager = ours()) {
      reduceOn(nodeManager.node());
      start();
      await().atMost(DEADLINE).until(() -> !registry.announced().isEmpty());
      app.state(JobState.KILLED);
      await().atMost(DEADLINE).until(() -> !controller.isRunning());
      assertThat(registry.withdrawn()).contains(FakeApp.JOB);
    }
  }

  @Test
  void closingWithdrawsWhatWasAnnounced() throws IOException {
    try (FakeNodeManager nodeManager = ours()) {
      reduceOn(nodeManager.node());
      start();
      await().atMost(DEADLINE).until(() -> !registry.announced().isEmpty());
      controller.close();
      assertThat(registry.withdrawn()).contains(FakeApp.JOB);
    }
  }

  @Test
  void deafNodeManagersDoNotDelayTheOthers() throws IOException {
    try (ServerSocket deaf = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        FakeNodeManager nodeManager = ours()) {
      reduceOn(new Node("127.0.0.1", deaf.getLocalPort()));
      reduceOn(nodeManager.node());
      // With this timeout the deaf one's first call outlasts the test.
      start(600_000);
      await().atMost(DEADLINE).until(() -> registry.announced().size() >= 5);
      app.noReduces().state(JobState.KILLED);
      await().atMost(DEADLINE).until(() -> registry.withdrawn().contains(FakeApp.JOB));
    }
  }

  @Test
  void aStockHandlerIsAskedOnceOnlyWhileOthersAreAskedAgain() throws IOException {
    try (FakeNodeManager stock = FakeNodeManager.always(new ControlReply(405, "", null));
        FakeNodeManager nodeManager = ours()) {
      reduceOn(stock.node());
      reduceOn(nodeManager.node());
      start();
      await().atMost(DEADLINE).until(() -> registry.announced().size() >= 5);
      assertThat(stock.requests()).isEqualTo(1);
    }
  }

  @Test
  void aNodeManagerThatRestartsIsToldAgainThoughNoMessageWasDue() throws IOException {
    Node node;
    try (FakeNodeManager first = ours()) {
      node = first.node();
      reduceOn(node);
      announceIntervalMs = 2 * DEADLINE.toMillis();
      start();
      // The announcement, and the message that waits.
      await().atMost(DEADLINE).until(() -> registry.announced().size() >= 2);
    }
    RecordingRegistry restarted = new RecordingRegistry();
    ControlServer server = ControlServers.of(new Secrets().with(FakeApp.JOB, SECRET), restarted);
    try (FakeNodeManager second = new FakeNodeManager(node, server::handle)) {
      await().atMost(DEADLINE).until(() -> !restarted.announced().isEmpty());
      assertThat(second.node()).isEqualTo(node);
    }
  }

  @Test
  void aContextThatThrowsIsPolledUntilItAnswers() throws IOException {
    try (FakeNodeManager nodeManager = ours()) {
      reduceOn(nodeManager.node());
      JobReader hostile =
          new JobReader(FakeApp.hostile(new IllegalStateException("not yet")), SHUFFLE, complaints);
      JobReader reader = new JobReader(app.context(), SHUFFLE, complaints);
      AtomicInteger looks = new AtomicInteger();
      controller =
          controller(() -> looks.incrementAndGet() < 4 ? hostile.look() : reader.look(), 2000);
      controller.start();
      await().atMost(DEADLINE).until(() -> !registry.announced().isEmpty());
      assertThat(looks.get()).isGreaterThanOrEqualTo(4);
      assertThat(complaints.kinds()).isEqualTo(1);
    }
  }

  @Test
  void anErrorIsSurvivedAndKeptFromTheHandlerThatEndsTheApplicationMaster() throws IOException {
    AtomicInteger uncaught = new AtomicInteger();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, error) -> uncaught.incrementAndGet());
    try (FakeNodeManager nodeManager = ours()) {
      reduceOn(nodeManager.node());
      JobReader reader = new JobReader(app.context(), SHUFFLE, complaints);
      AtomicInteger looks = new AtomicInteger();
      AtomicInteger calls = new AtomicInteger();
      HttpExchange http = new HttpExchange(null);
      controller =
          controller(
              () -> {
                failAtFirst(looks, new NoClassDefFoundError("look"));
                return reader.look();
              },
              2000,
              new ControlExchange() {
                @Override
                public CompletableFuture<ControlReply> exchange(
                    Node node, ControlRequest request, long timeoutMs) {
                  failAtFirst(calls, new NoClassDefFoundError("call"));
                  return http.exchange(node, request, timeoutMs);
                }

                @Override
                public void close() {
                  http.close();
                }
              });
      controller.start();
      await().atMost(DEADLINE).until(() -> !registry.announced().isEmpty());
      assertThat(uncaught).hasValue(0);
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  private static void failAtFirst(AtomicInteger count, Error error) {
    if (count.incrementAndGet() == 1) {
      throw error;
    }
  }

  private FakeNodeManager ours() throws IOException {
    ControlServer server = ControlServers.of(new Secrets().with(FakeApp.JOB, SECRET), registry);
    return new FakeNodeManager(server::handle);
  }

  private void reduceOn(Node node) {
    app.reduce(node.host() + ":8042", node.port(), TaskAttemptState.RUNNING);
  }

  private void start() {
    start(2000);
  }

  private void start(int callTimeoutMs) {
    controller = controller(new JobReader(app.context(), SHUFFLE, complaints)::look, callTimeoutMs);
    controller.start();
  }

  private MissionController controller(Supplier<JobLook> job, int callTimeoutMs) {
    return controller(job, callTimeoutMs, new HttpExchange(null));
  }

  private MissionController controller(
      Supplier<JobLook> job, int callTimeoutMs, ControlExchange exchange) {
    Configuration conf = new Configuration(false);
    conf.set(Keys.Transfer.WEIGHT_KEY, "2");
    conf.set(Keys.Transfer.TRANSPORT_KEY, "cubic");
    conf.setLong(Keys.Am.POLL_INTERVAL_MS_KEY, 10);
    conf.setInt(Keys.Am.CALL_TIMEOUT_MS_KEY, callTimeoutMs);
    conf.setLong(Keys.Am.ANNOUNCE_INTERVAL_MS_KEY, announceIntervalMs);
    JobSettings settings = JobSettings.from(conf, complaint -> {});
    ControlClient client =
        new ControlClient(
            exchange, new SequenceNumbers(1, 1_700_000_000_000L), () -> SECRET, callTimeoutMs);
    return new MissionController(job, settings, client, complaints, ends::incrementAndGet);
  }
}
