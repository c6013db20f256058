/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.missioncontrol.conf.AdminRules;
import org.missioncontrol.scheduler.control.TransferDescriptor;
import org.missioncontrol.shuffle.flow.EchoServer;
import org.missioncontrol.transport.MptcpLimits;
import org.missioncontrol.transport.SocketFacts;
import org.missioncontrol.transport.TransportDecision;

/** A job that leaves the choice open gets what the rules choose, on real sockets. */
@EnabledOnOs(OS.LINUX)
class RuledTransportTest {
  private static final String JOB = "job_1_0001";

  @TempDir private Path dir;
  private final ImaginedKernel kernel = new ImaginedKernel();
  private Node node;
  private EchoServer server;

  @BeforeEach
  void start() throws Exception {
    assumeTrue(has("reno") && has("cubic"), "the kernel has reno and cubic");
    node = new Node(dir.resolve("nm"), 20, kernel.channels());
    server = new EchoServer();
  }

  @AfterEach
  void stop() throws Exception {
    if (node != null) {
      node.close();
      server.close();
    }
  }

  @Test
  void theAdministratorsTableChoosesForAJobThatLeavesItOpen() throws Exception {
    rules("rule.1.user = alice\nrule.1.min-bytes = 1k\nrule.1.transport = reno\n");
    announce("auto", 1024, null);
    assertThat(granted().get("congestionControl").asText()).isEqualTo("reno");
    announce("auto", 1023, null);
    assertThat(granted().get("transport").asText()).isEqualTo("default");
  }

  @Test
  void whatAJobNamesComesBeforeTheTable() throws Exception {
    rules("rule.1.transport = reno\n");
    announce("cubic", 1, null);
    assertThat(granted().get("congestionControl").asText()).isEqualTo("cubic");
    announce("default", 1, null);
    assertThat(granted().get("transport").asText()).isEqualTo("default");
    announce("auto", 1, null);
    assertThat(granted().get("congestionControl").asText()).isEqualTo("reno");
  }

  @Test
  void aRuleThatTheHostCannotHonourIsPassedOverAndCountedOnce() throws Exception {
    rules("rule.1.transport = carrier-pigeon\nrule.2.transport = reno\n");
    announce("auto", 1, null);
    assertThat(granted().get("congestionControl").asText()).isEqualTo("reno");
    assertThat(granted().get("congestionControl").asText()).isEqualTo("reno");
    assertThat(node.controller().count(ThrottleCounter.RULES_PASSED_OVER)).isEqualTo(1);
    assertThat(node.controller().count(ThrottleCounter.TRANSPORTS_REFUSED)).isZero();
  }

  @Test
  void severalInterfacesWithoutMptcpArePassedOver() throws Exception {
    kernel.interfaces("eth0", "eth1");
    assumeTrue(!Node.CHANNELS.capabilities().transports().contains("mptcp"), "has mptcp");
    announce("auto", 1, null);
    assertThat(granted().get("transport").asText()).isEqualTo("default");
    assertThat(node.controller().count(ThrottleCounter.RULES_PASSED_OVER)).isEqualTo(1);
  }

  @Test
  void severalInterfacesGetMptcpWhereTheMapHostHasItToo() throws Exception {
    kernel.interfaces("eth0", "eth1");
    assumeTrue(Node.CHANNELS.capabilities().transports().contains("mptcp"), "no mptcp");
    announce("auto", 1, null);
    try (MultipathPeer peer = new MultipathPeer()) {
      assertThat(granted(peer.port()).get("transport").asText()).isEqualTo("mptcp");
    }
  }

  @Test
  void severalInterfacesGetTcpWhereThePathManagerWouldOpenNoFurtherSubflow() throws Exception {
    kernel.interfaces(new MptcpLimits(2, 0, 0, 0), "eth0", "eth1");
    announce("auto", 1, null);
    assertThat(granted().get("transport").asText()).isEqualTo("default");
    assertThat(rule().rule()).isEqualTo("built-in: otherwise");
    assertThat(node.controller().count(ThrottleCounter.RULES_PASSED_OVER)).isZero();
  }

  @Test
  void aMapHostWithoutMptcpGetsTcpWithoutARefusalAndTheStatusSaysWhy() throws Exception {
    kernel.interfaces("eth0", "eth1");
    assumeTrue(Node.CHANNELS.capabilities().transports().contains("mptcp"), "no mptcp");
    announce("auto", 1, null);
    JsonNode first = granted();
    assertThat(first.get("transport").asText()).isEqualTo("default");
    assertThat(first.hasNonNull("refusal")).isFalse();
    assertThat(node.controller().count(ThrottleCounter.TRANSPORTS_REFUSED)).isZero();
    assertThat(rule().why()).contains("interfaces is 2", "plain TCP");
    assertThat(granted().get("transport").asText()).isEqualTo("default");
    assertThat(rule().rule()).as("learned").isEqualTo("built-in: otherwise");
    node.pass(10 * 60_000);
    announce("auto", 1, null);
    granted();
    assertThat(rule().rule()).as("tried again").isEqualTo("built-in: several interfaces");
  }

  @Test
  void mptcpThatWasAskedForByNameIsRefusedVisiblyByAMapHostWithoutIt() throws Exception {
    assumeTrue(Node.CHANNELS.capabilities().transports().contains("mptcp"), "no mptcp");
    announce("mptcp", 1, null);
    assertThat(granted().get("refusal").asText()).contains("plain TCP");
    assertThat(node.controller().count(ThrottleCounter.TRANSPORTS_REFUSED)).isEqualTo(1);
  }

  @Test
  void aMapHostToWhichMptcpFoundOnePathGetsTcpAndTheConnectionThereIsNotKept() throws Exception {
    kernel.interfaces("eth0", "eth1");
    assumeTrue(Node.CHANNELS.capabilities().transports().contains("mptcp"), "no mptcp");
    kernel.facts = new SocketFacts(false, 0, 0, 100, 2 << 20);
    announce("auto", 1, null);
    try (MultipathPeer peer = new MultipathPeer();
        RawTask task = RawTask.inside(node.door(), JOB)) {
      task.ask(1, peer.port());
      JsonNode granted = task.hear("granted");
      long lease = granted.get("lease").asLong();
      assertThat(granted.get("transport").asText()).isEqualTo("mptcp");
      node.look();
      assertThat(renewed(task, lease)).as("seen for less than a second").isTrue();
      node.look();
      assertThat(renewed(task, lease)).as("with one path for a second").isFalse();
      task.ask(2, peer.port());
      assertThat(task.hear("granted").get("transport").asText()).isEqualTo("default");
    }
  }

  @Test
  void aPathOnWhichMarksWereSeenGetsDctcpFromTheNextConnectionOn() throws Exception {
    assumeTrue(has("dctcp"), "no dctcp; benchmarks/net/dctcp/dctcp up registers one");
    kernel.facts = new SocketFacts(true, 7, 0, 100, 1);
    announce("auto", 1, 1L << 30);
    assertThat(granted().get("transport").asText()).isEqualTo("default");
    assertThat(granted().get("transport").asText()).isEqualTo("dctcp");
  }

  @Test
  void aPathOnWhichNoMarkWasSeenForTenMinutesGetsTheDefaultAgain() throws Exception {
    assumeTrue(has("dctcp"), "no dctcp; benchmarks/net/dctcp/dctcp up registers one");
    kernel.facts = new SocketFacts(true, 7, 0, 100, 1);
    announce("auto", 1, 1L << 30);
    granted();
    kernel.facts = new SocketFacts(true, 0, 0, 100, 1);
    node.pass(10 * 60_000);
    announce("auto", 1, 1L << 30);
    assertThat(granted().get("transport").asText()).isEqualTo("default");
  }

  @Test
  void aPathThatMarksGetsTcpWithEcnForHighFanInOfShortFlows() throws Exception {
    assumeTrue(has("dctcp"), "no dctcp; benchmarks/net/dctcp/dctcp up registers one");
    kernel.facts = new SocketFacts(true, 7, 0, 100, 1);
    announce("auto", 1, 4096L);
    try (RawTask task = RawTask.inside(node.door(), JOB)) {
      for (int i = 1; i <= 16; i++) {
        task.ask(i, server.address().getPort());
        task.hear("granted");
      }
      task.ask(17, server.address().getPort());
      assertThat(task.hear("granted").get("transport").asText()).isEqualTo("ecn");
    }
  }

  @Test
  void aConnectionThatIsRefusedEcnIsCountedAndTheNextOneHasTheDefault() throws Exception {
    assumeTrue(has("dctcp"), "no dctcp; benchmarks/net/dctcp/dctcp up registers one");
    kernel.facts = new SocketFacts(true, 7, 0, 100, 1);
    announce("auto", 1, 1L << 30);
    granted();
    kernel.facts = new SocketFacts(false, 7, 0, 100, 1);
    JsonNode refused = granted();
    assertThat(refused.get("transport").asText()).isEqualTo("dctcp");
    assertThat(refused.get("refusal").asText()).contains("ECN");
    assertThat(node.controller().count(ThrottleCounter.TRANSPORTS_REFUSED)).isEqualTo(1);
    assertThat(granted().get("transport").asText()).isEqualTo("default");
  }

  @Test
  void aConnectionThatIsKeptKeepsWhatTheRulesChoseForIt() throws Exception {
    rules("rule.1.transport = reno\n");
    announce("auto", 1, null);
    try (RawTask task = RawTask.inside(node.door(), JOB)) {
      task.ask(1, server.address().getPort());
      long lease = task.hear("granted").get("lease").asLong();
      rules("rule.1.transport = cubic\n");
      task.say("{'type':'renew','lease':%d}".formatted(lease));
      assertThat(task.hear("renewed").get("transport").asText()).isEqualTo("reno");
      task.ask(2, server.address().getPort());
      assertThat(task.hear("granted").get("transport").asText()).isEqualTo("cubic");
    }
  }

  private TransportDecision rule() {
    return node.snapshot().jobs().get(0).transports().get(0).decision();
  }

  private static boolean renewed(RawTask task, long lease) throws Exception {
    task.say("{'type':'renew','lease':%d}".formatted(lease));
    return task.hear("renewed").get("granted").asBoolean();
  }

  private JsonNode granted() throws Exception {
    return granted(server.address().getPort());
  }

  private JsonNode granted(int port) throws Exception {
    try (RawTask task = RawTask.inside(node.door(), JOB)) {
      task.ask(1, port);
      return task.hear("granted");
    }
  }

  private void rules(String text) throws Exception {
    node.controller()
        .share("fair", AdminRules.parse(Files.writeString(dir.resolve("rules.properties"), text)));
  }

  private void announce(String transport, long bytes, Long segment) {
    node.controller()
        .announce(
            new TransferDescriptor(
                    2, JOB, "alice", "q", "NORMAL", "shuffle", 1, 1, bytes, 1, transport)
                .withSegments(segment));
  }

  private static boolean has(String transport) {
    return Node.CHANNELS.capabilities().congestionControls().contains(transport);
  }
}
