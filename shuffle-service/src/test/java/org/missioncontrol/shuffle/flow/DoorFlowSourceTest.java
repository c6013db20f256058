/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.flow;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import java.io.File;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.missioncontrol.shuffle.door.DoorPointer;
import org.missioncontrol.shuffle.throttle.Node;
import org.missioncontrol.shuffle.throttle.ThrottleCounter;
import org.missioncontrol.transport.Transport;

@EnabledOnOs(OS.LINUX)
class DoorFlowSourceTest {
  private static final String JOB = "job_1_0001";
  private static final long PATIENT_MS = 60_000;
  private static final long IMPATIENT_MS = 300;

  @TempDir private Path dir;
  private final EventLoopGroup loops = Node.CHANNELS.newEventLoopGroup(2, "reducer");
  private final FlowCounters counters = new FlowCounters();
  private final List<FlowSource> sources = new ArrayList<>();
  private EchoServer server;
  private Node node;

  @BeforeEach
  void start() throws Exception {
    server = new EchoServer();
    node = new Node(dir, 4);
  }

  @AfterEach
  void stop() throws Exception {
    sources.forEach(FlowSource::close);
    node.close();
    server.close();
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).sync();
  }

  @Test
  void leasedConnectionWorksAndComesBack() throws Exception {
    Received received = new Received();
    Flow flow = lent(received);
    assertThat(flow.leased()).isTrue();
    assertThat(node.snapshot().inUse()).isEqualTo(1);
    flow.channel().writeAndFlush(Unpooled.copiedBuffer("ping", US_ASCII));
    await().until(() -> received.text().equals("ping"));
    flow.close();
    await().until(() -> node.snapshot().inUse() == 0 && server.open() == 0);
    assertThat(counters.leasedFlows()).isEqualTo(1);
    assertThat(counters.plainFlows()).isZero();
  }

  @Test
  void kernelHasTheTransportThatWasAskedAtOurEnd() throws Exception {
    for (String name : List.of("reno", "cubic")) {
      Flow flow = get(source("job_of_" + name, name, PATIENT_MS));
      assertThat(flow.congestionControl()).isEqualTo(name);
      assertThat(Node.CHANNELS.congestionControl(flow.channel())).isEqualTo(name);
      assertThat(flow.transport().refusal()).isNull();
    }
    assertThat(node.snapshot().jobs())
        .flatExtracting(job -> job.flows())
        .extracting(flow -> flow.transport() + "=" + flow.congestionControl())
        .containsExactly("reno=reno", "cubic=cubic");
  }

  @Test
  void unknownTransportIsRefusedWithTheListAndTheConnectionMadeWithTheDefault() throws Exception {
    Flow flow = get(source(JOB, "nosuch", PATIENT_MS));
    assertThat(flow.channel().isActive()).isTrue();
    assertThat(flow.transport().used()).isEqualTo(Transport.DEFAULT);
    assertThat(flow.congestionControl())
        .isEqualTo(Node.CHANNELS.capabilities().defaultCongestionControl());
    assertThat(counters.refusals()).singleElement().asString().contains("nosuch", "reno");
    assertThat(node.snapshot().jobs().get(0).flows().get(0).refusal()).contains("nosuch");
    assertThat(node.controller().count(ThrottleCounter.TRANSPORTS_REFUSED)).isEqualTo(1);
  }

  @Test
  void manyReducersNeverHoldMoreThanTheBudget() throws Exception {
    List<CompletableFuture<Flow>> asked = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      FlowSource source = source("job_" + (i % 3), "default", PATIENT_MS);
      for (int j = 0; j < 10; j++) {
        asked.add(ask(source));
      }
    }
    for (int done = 0; done < 60; done++) {
      Flow flow =
          (Flow)
              CompletableFuture.anyOf(asked.toArray(new CompletableFuture<?>[0]))
                  .get(20, TimeUnit.SECONDS);
      asked.removeIf(future -> future.isDone() && future.join() == flow);
      assertThat(node.snapshot().inUse()).isLessThanOrEqualTo(4);
      flow.close();
    }
    await().until(() -> node.snapshot().inUse() == 0);
    assertThat(node.controller().count(ThrottleCounter.LEASES_GRANTED)).isEqualTo(60);
    assertThat(node.controller().count(ThrottleCounter.LEASES_RETURNED)).isEqualTo(60);
  }

  @Test
  void renewalIsGrantedWhileTheShareAllowsAndDeniedWhenItHasGoneElsewhere() throws Exception {
    FlowSource first = source(JOB, "default", PATIENT_MS);
    List<Flow> held = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      held.add(get(first));
    }
    assertThat(held.get(0).renew().get(20, TimeUnit.SECONDS)).isTrue();
    CompletableFuture<Flow> other = ask(source("job_1_0002", "default", PATIENT_MS));
    await().until(() -> node.snapshot().jobs().size() == 2);
    await().until(() -> !held.get(0).renew().get(20, TimeUnit.SECONDS));
    assertThat(other).isNotDone();
    held.get(0).close();
    assertThat(other.get(20, TimeUnit.SECONDS).leased()).isTrue();
    assertThat(held.get(0).renew().get(20, TimeUnit.SECONDS)).isFalse();
  }

  @Test
  void overdueLeaseIsCut() throws Exception {
    Received received = new Received();
    Flow flow = lent(received);
    node.pass(Node.LEASE_MAX_MS);
    await().until(received::ended);
    await().until(() -> node.snapshot().inUse() == 0 && server.open() == 0);
    assertThat(flow.renew().get(20, TimeUnit.SECONDS)).isFalse();
    assertThat(node.controller().count(ThrottleCounter.LEASES_CUT)).isEqualTo(1);
    assertThat(get(sources.get(0)).leased()).isTrue();
  }

  @Test
  void leaseOnWhichBytesComeIsNotCutHoweverOldItIs() throws Exception {
    Received received = new Received();
    Flow flow = lent(received);
    for (int i = 1; i <= 4; i++) {
      String sofar = "x".repeat(i);
      flow.channel().writeAndFlush(Unpooled.copiedBuffer("x", US_ASCII));
      await().until(() -> received.text().equals(sofar));
      node.look();
      node.pass(Node.LEASE_MAX_MS - 1);
      node.look();
    }
    assertThat(flow.renew().get(20, TimeUnit.SECONDS)).isTrue();
    assertThat(node.controller().count(ThrottleCounter.LEASES_CUT)).isZero();
  }

  @Test
  void nodeManagerThatStandsStillCutsNothingAndIsUsedAgainWhenItGoesOn() throws Exception {
    FlowSource source = source(JOB, "default", IMPATIENT_MS);
    Received received = new Received();
    Flow old = source.request(server.address(), received).get(20, TimeUnit.SECONDS);
    await().until(old::leased);
    node.standStill();
    CompletableFuture<Flow> asked = ask(source);
    assertThat(asked.get(20, TimeUnit.SECONDS).leased()).as("after the door's timeout").isFalse();
    assertThat(old.renew().get(20, TimeUnit.SECONDS)).as("nobody answers").isFalse();
    old.channel().writeAndFlush(Unpooled.copiedBuffer("alive", US_ASCII));
    await().until(() -> received.text().equals("alive"));
    node.goOn();
    await()
        .until(
            () -> {
              Flow flow = get(source);
              boolean leased = flow.leased();
              flow.close();
              return leased;
            });
    assertThat(asked.get().renew().get()).as("the door is back").isFalse();
    old.channel().writeAndFlush(Unpooled.copiedBuffer("!", US_ASCII));
    await().until(() -> received.text().equals("alive!"));
    assertThat(old.renew().get(20, TimeUnit.SECONDS)).isTrue();
    assertThat(node.controller().count(ThrottleCounter.SESSIONS_OPENED)).isEqualTo(1);
    await().until(() -> node.snapshot().inUse() == 1);
  }

  @Test
  void withdrawnRequestLeavesTheQueue() throws Exception {
    FlowSource source = source(JOB, "default", PATIENT_MS);
    for (int i = 0; i < 4; i++) {
      get(source);
    }
    CompletableFuture<Flow> waiting = ask(source);
    await().until(() -> node.snapshot().jobs().get(0).demand() == 5);
    waiting.cancel(false);
    await().until(() -> node.snapshot().jobs().get(0).demand() == 4);
  }

  @Test
  void deadMapHostFailsTheRequestWithTheReason() throws Exception {
    server.close();
    CompletableFuture<Flow> asked = ask(source(JOB, "default", PATIENT_MS));
    assertThatThrownBy(() -> asked.get(20, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(FlowException.class)
        .hasMessageContaining("127.0.0.1:" + server.address().getPort());
    await().until(() -> node.snapshot().inUse() == 0);
  }

  @Test
  void nodeManagerTakesNoByteOfAServerThatSpeaksAndClosesAtOnce() throws Exception {
    String text = "x".repeat(50_000);
    try (EchoServer talker =
        new EchoServer(socket -> socket.getOutputStream().write(text.getBytes(US_ASCII)))) {
      FlowSource source = source(JOB, "default", PATIENT_MS);
      for (int i = 0; i < 200; i++) {
        Received received = new Received();
        Flow flow = source.request(talker.address(), received).get(20, TimeUnit.SECONDS);
        await().until(received::ended);
        assertThat(received.text()).hasSize(text.length());
        flow.close();
      }
    }
  }

  @Test
  void noDescriptorIsLeftAfterManyLeases() throws Exception {
    FlowSource source = source(JOB, "default", PATIENT_MS);
    cycle(source, 20);
    await().until(() -> node.snapshot().inUse() == 0 && server.open() == 0);
    int before = descriptors();
    cycle(source, 200);
    await().until(() -> node.snapshot().inUse() == 0 && server.open() == 0);
    await().untilAsserted(() -> assertThat(descriptors()).isLessThanOrEqualTo(before + 2));
  }

  @Test
  void nodeManagerThatStartsAgainIsUsedAgainAndOpenFlowsSurvive() throws Exception {
    FlowSource source = source(JOB, "default", PATIENT_MS);
    Received received = new Received();
    Flow old = source.request(server.address(), received).get(20, TimeUnit.SECONDS);
    node.close();
    await().until(() -> !old.renew().get(20, TimeUnit.SECONDS));
    old.channel().writeAndFlush(Unpooled.copiedBuffer("alive", US_ASCII));
    await().until(() -> received.text().equals("alive"));
    CompletableFuture<Flow> asked = ask(source);
    node = new Node(dir, 4);
    assertThat(asked.get(30, TimeUnit.SECONDS).leased())
        .as("a door that was there is waited for")
        .isTrue();
  }

  @Test
  void requestsOfALostSessionAreAskedAgain() throws Exception {
    FlowSource source = source(JOB, "default", PATIENT_MS);
    for (int i = 0; i < 4; i++) {
      get(source);
    }
    CompletableFuture<Flow> waiting = ask(source);
    await().until(() -> node.snapshot().jobs().get(0).demand() == 5);
    node.controller().jobEnded(JOB);
    assertThat(waiting.get(30, TimeUnit.SECONDS).leased()).isTrue();
  }

  @Test
  void withoutADoorConnectionsArePlainAtOnce() throws Exception {
    node.close();
    Flow flow = get(source(JOB, "reno", PATIENT_MS));
    assertThat(flow.leased()).isFalse();
    assertThat(flow.congestionControl()).isEqualTo("reno");
    assertThat(counters.plainFlows()).isEqualTo(1);
  }

  @Test
  void refusedTaskOpensPlainConnectionsAtOnce() throws Exception {
    assertThat(get(source("job_unknown", "default", PATIENT_MS)).leased()).isFalse();
  }

  @Test
  void doorThatDoesNotAnswerIsGivenUp() throws Exception {
    node.close();
    Path mute = dir.resolve("mute");
    try (ServerSocketChannel door =
        ServerSocketChannel.open(StandardProtocolFamily.UNIX)
            .bind(UnixDomainSocketAddress.of(mute))) {
      DoorPointer.write(dir, mute);
      assertThat(door.isOpen()).isTrue();
      assertThat(get(source(JOB, "default", IMPATIENT_MS)).leased()).isFalse();
    }
  }

  @Test
  void nodeManagerThatDiesLeavesItsRequestsToPlainConnections() throws Exception {
    FlowSource source = source(JOB, "default", IMPATIENT_MS);
    Flow first = get(source);
    await().until(() -> first.leased() || get(source).leased());
    node.close();
    await().until(() -> !get(source).leased());
  }

  @Test
  void closeGivesBackEverythingAndRefusesMore() throws Exception {
    FlowSource source = source(JOB, "default", PATIENT_MS);
    for (int i = 0; i < 4; i++) {
      get(source);
    }
    CompletableFuture<Flow> waiting = ask(source);
    source.close();
    source.close();
    assertThatThrownBy(() -> waiting.get(20, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class);
    assertThatThrownBy(() -> ask(source).get(20, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class);
    await().until(() -> node.snapshot().jobs().isEmpty() && server.open() == 0);
  }

  @Test
  void reducerThatIsKilledReturnsItsFlows() throws Exception {
    Process reducer =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                DoomedReducer.class.getName(),
                node.localDirs(),
                Integer.toString(server.address().getPort()))
            .redirectErrorStream(true)
            .redirectOutput(dir.resolve("reducer.log").toFile())
            .start();
    try {
      await().atMost(60, TimeUnit.SECONDS).until(() -> node.snapshot().inUse() == 3);
      CompletableFuture<Flow> heir = ask(source("job_1_0002", "default", PATIENT_MS));
      assertThat(heir.get(20, TimeUnit.SECONDS).leased()).isTrue();
    } finally {
      reducer.destroyForcibly().waitFor();
    }
    await().until(() -> node.snapshot().inUse() == 1 && server.open() == 1);
  }

  private Flow lent(Received received) throws Exception {
    return source(JOB, "default", PATIENT_MS)
        .request(server.address(), received)
        .get(20, TimeUnit.SECONDS);
  }

  private void cycle(FlowSource source, int times) throws Exception {
    for (int i = 0; i < times; i++) {
      get(source).close();
    }
  }

  private static int descriptors() {
    File[] open = new File("/proc/self/fd").listFiles();
    return open == null ? 0 : open.length;
  }

  private FlowSource source(String job, String transport, long doorTimeoutMs) throws Exception {
    Files.createDirectories(Path.of(node.localDirs()));
    FlowSource source =
        new DoorFlowSource(
            loops,
            () -> DoorPointer.find(node.localDirs()),
            new TaskIdentity(job, "attempt_1", Node.secretOf(job)),
            new Transport(transport),
            new DoorFlowSource.Timeouts(10_000, doorTimeoutMs, 60_000),
            () ->
                new PlainFlowSource(
                    Node.CHANNELS, loops, new Transport(transport), 5, 10_000, counters),
            counters);
    sources.add(source);
    return source;
  }

  private CompletableFuture<Flow> ask(FlowSource source) {
    return source.request(server.address(), new ChannelInboundHandlerAdapter());
  }

  private Flow get(FlowSource source) throws Exception {
    return ask(source).get(30, TimeUnit.SECONDS);
  }
}
