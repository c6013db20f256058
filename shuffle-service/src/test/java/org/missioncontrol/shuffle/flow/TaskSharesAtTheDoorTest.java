/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.flow;

import static org.awaitility.Awaitility.await;

import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.missioncontrol.scheduler.control.ControlProtocol;
import org.missioncontrol.scheduler.control.LocalPart;
import org.missioncontrol.scheduler.control.TransferDescriptor;
import org.missioncontrol.shuffle.door.DoorPointer;
import org.missioncontrol.shuffle.throttle.Node;
import org.missioncontrol.transport.Transport;

/** Two reducers of one job, one with three times the bytes of the other, on real sockets. */
@EnabledOnOs(OS.LINUX)
class TaskSharesAtTheDoorTest {
  private static final String JOB = "job_1_0001";
  private static final String LARGE = "attempt_1_0001_r_000001_0";
  private static final String SMALL = "attempt_1_0001_r_000002_0";
  private static final int BUDGET = 4;

  @TempDir private Path dir;
  private final EventLoopGroup loops = Node.CHANNELS.newEventLoopGroup(2, "reducer");
  private final FlowCounters ofLarge = new FlowCounters();
  private final List<FlowSource> sources = new ArrayList<>();
  private EchoServer server;
  private Node node;

  @BeforeEach
  void start() throws Exception {
    server = new EchoServer();
    node = new Node(dir, BUDGET);
    Files.createDirectories(Path.of(node.localDirs()));
  }

  @AfterEach
  void stop() throws Exception {
    sources.forEach(FlowSource::close);
    node.close();
    server.close();
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).sync();
  }

  @Test
  void flowsFollowTheBytesAndMoveWhenTheTaskHasGotThem() throws Exception {
    TransferDescriptor transfer =
        new TransferDescriptor(
            ControlProtocol.VERSION, JOB, "alice", "q", "NORMAL", "shuffle", 0, 1, 0, 1, "default");
    node.controller()
        .announce(transfer.with(new LocalPart(false, 0, Map.of(LARGE, 300L, SMALL, 100L))));
    FlowSource before = source("job_1_0002", "attempt_1", new FlowCounters());
    List<Flow> all = new ArrayList<>();
    for (int i = 0; i < BUDGET; i++) {
      all.add(ask(before).get(20, TimeUnit.SECONDS));
    }
    FlowSource large = source(JOB, LARGE, ofLarge);
    FlowSource small = source(JOB, SMALL, new FlowCounters());
    List<CompletableFuture<Flow>> asked = new ArrayList<>();
    for (int i = 0; i < BUDGET; i++) {
      asked.add(ask(large));
    }
    await().until(() -> demand() == BUDGET);
    List<CompletableFuture<Flow>> askedBySmall = new ArrayList<>();
    for (int i = 0; i < BUDGET; i++) {
      askedBySmall.add(ask(small));
    }
    await().until(() -> demand() == 2 * BUDGET);
    all.forEach(Flow::close);
    await().until(() -> held(LARGE) == 3 && held(SMALL) == 1);

    ofLarge.received(290);
    for (CompletableFuture<Flow> one : asked) {
      if (one.isDone() && !one.get().renew().get(20, TimeUnit.SECONDS)) {
        one.get().close();
      }
    }
    await().until(() -> held(LARGE) == 1 && held(SMALL) == 3);
  }

  private int demand() {
    return node.snapshot().jobs().stream()
        .filter(job -> job.job().equals(JOB))
        .mapToInt(job -> job.demand())
        .sum();
  }

  private long held(String attempt) {
    return node.snapshot().jobs().stream()
        .flatMap(job -> job.flows().stream())
        .filter(flow -> flow.task().equals(attempt))
        .count();
  }

  private FlowSource source(String job, String attempt, FlowCounters counters) {
    FlowSource source =
        new DoorFlowSource(
            loops,
            () -> DoorPointer.find(node.localDirs()),
            new TaskIdentity(job, attempt, Node.secretOf(job)),
            Transport.DEFAULT,
            new DoorFlowSource.Timeouts(10_000, 60_000, 60_000),
            () -> {
              throw new AssertionError("a plain connection");
            },
            counters);
    sources.add(source);
    return source;
  }

  private CompletableFuture<Flow> ask(FlowSource source) {
    return source.request(server.address(), new ChannelInboundHandlerAdapter());
  }
}
