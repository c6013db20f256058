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
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.missioncontrol.scheduler.control.TransferDescriptor;
import org.missioncontrol.shuffle.flow.EchoServer;

/** What an ApplicationMaster announces decides over a lease's transport, whatever the task asks. */
@EnabledOnOs(OS.LINUX)
class OrderedTransportTest {
  private static final String JOB = "job_1_0001";

  @TempDir private Path dir;
  private Node node;
  private EchoServer server;

  @BeforeEach
  void start() throws Exception {
    assumeTrue(Node.CHANNELS.capabilities().congestionControls().contains("reno"));
    assumeTrue(Node.CHANNELS.capabilities().congestionControls().contains("cubic"));
    node = new Node(dir.resolve("nm"), 2);
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
  void aLeaseHasTheTransportThatIsAnnouncedWhenItIsGranted() throws Exception {
    announce("reno");
    try (RawTask task = RawTask.inside(node.door(), JOB)) {
      task.ask(1, server.address().getPort());
      JsonNode granted = task.hear("granted");
      assertThat(granted.get("transport").asText()).isEqualTo("reno");
      assertThat(granted.get("congestionControl").asText()).isEqualTo("reno");
      announce("cubic");
      assertThat(congestionControl()).isEqualTo("reno");
      task.ask(2, server.address().getPort());
      assertThat(task.hear("granted").get("congestionControl").asText()).isEqualTo("cubic");
    }
  }

  @Test
  void aConnectionThatIsKeptChangesWithItsRenewalAndGoesBackToTheHostsDefault() throws Exception {
    announce("reno");
    try (RawTask task = RawTask.inside(node.door(), JOB)) {
      task.ask(1, server.address().getPort());
      long lease = task.hear("granted").get("lease").asLong();
      announce("cubic");
      assertThat(renew(task, lease)).isEqualTo("cubic");
      assertThat(congestionControl()).isEqualTo("cubic");
      announce("reno");
      assertThat(renew(task, lease)).isEqualTo("reno");
      announce("default");
      assertThat(renew(task, lease)).isEqualTo("default");
      assertThat(congestionControl())
          .isEqualTo(Node.CHANNELS.capabilities().defaultCongestionControl());
    }
  }

  @Test
  void aTransportThatTheHostLacksIsRefusedVisiblyAtTheRenewalToo() throws Exception {
    announce("reno");
    try (RawTask task = RawTask.inside(node.door(), JOB)) {
      task.ask(1, server.address().getPort());
      long lease = task.hear("granted").get("lease").asLong();
      announce("nosuch");
      task.say("{'type':'renew','lease':%d}".formatted(lease));
      JsonNode renewed = task.hear("renewed");
      assertThat(renewed.get("granted").asBoolean()).isTrue();
      assertThat(renewed.get("refusal").asText()).contains("nosuch");
      assertThat(congestionControl())
          .isEqualTo(Node.CHANNELS.capabilities().defaultCongestionControl());
    }
  }

  @Test
  void aConnectionOfTcpIsNotRenewedForMptcpSoThatTheNextOneIsMadeForIt() throws Exception {
    announce("reno");
    try (RawTask task = RawTask.inside(node.door(), JOB)) {
      task.ask(1, server.address().getPort());
      long lease = task.hear("granted").get("lease").asLong();
      announce("mptcp");
      task.say("{'type':'renew','lease':%d}".formatted(lease));
      assertThat(task.hear("renewed").get("granted").asBoolean()).isFalse();
      task.ask(2, server.address().getPort());
      JsonNode granted = task.hear("granted");
      assertThat(granted.get("transport").asText()).isEqualTo("mptcp");
      assertThat(granted.get("refusal").asText()).as("this peer has no MPTCP").contains("mptcp");
      long plain = granted.get("lease").asLong();
      assertThat(renew(task, plain)).as("asking again would be in vain").isEqualTo("mptcp");
    }
  }

  @Test
  void whatWasAnnouncedCountsOnWhileTheApplicationMasterIsAwayAndEndsWithItsWithdrawal()
      throws Exception {
    announce("reno");
    node.pass(1_000_000);
    try (RawTask task = RawTask.inside(node.door(), JOB)) {
      task.ask(1, server.address().getPort());
      assertThat(task.hear("granted").get("congestionControl").asText()).isEqualTo("reno");
      node.controller().withdraw(JOB);
      task.ask(2, server.address().getPort());
      assertThat(task.hear("granted").get("transport").asText()).isEqualTo("default");
    }
  }

  private String renew(RawTask task, long lease) throws Exception {
    task.say("{'type':'renew','lease':%d}".formatted(lease));
    JsonNode renewed = task.hear("renewed");
    assertThat(renewed.get("granted").asBoolean()).isTrue();
    return renewed.get("transport").asText();
  }

  private String congestionControl() {
    return node.snapshot().jobs().get(0).flows().get(0).congestionControl();
  }

  private void announce(String transport) {
    node.controller()
        .announce(
            new TransferDescriptor(
                2, JOB, "alice", "q", "NORMAL", "shuffle", 1, 1, 1, 1, transport));
  }
}
