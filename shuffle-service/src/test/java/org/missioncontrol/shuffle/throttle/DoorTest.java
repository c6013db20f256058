/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.missioncontrol.shuffle.door.DoorPointer;
import org.missioncontrol.shuffle.flow.EchoServer;

@EnabledOnOs(OS.LINUX)
class DoorTest {
  private static final String JOB = "job_1_0001";

  @TempDir private Path dir;
  private Node node;
  private EchoServer server;

  @BeforeEach
  void start() throws Exception {
    node = new Node(dir.resolve("nm"), 2);
    server = new EchoServer();
  }

  @AfterEach
  void stop() throws Exception {
    node.close();
    server.close();
  }

  @Test
  void taskThatKnowsTheSecretIsLeasedAFlow() throws Exception {
    try (RawTask task = RawTask.inside(node.door(), JOB)) {
      task.ask(7, server.address().getPort());
      assertThat(task.hear("granted").get("id").asLong()).isEqualTo(7);
      ThrottleSnapshot.JobFlows job = node.snapshot().jobs().get(0);
      assertThat(job.user()).isEqualTo("alice");
      assertThat(job.flows()).singleElement().matches(flow -> flow.task().equals("attempt_1"));
      task.say("{'type':'ping'}");
      task.hear("pong");
    }
    await().until(() -> node.snapshot().jobs().isEmpty());
    await().until(() -> server.open() == 0);
  }

  @Test
  void leasesOfASessionThatEndsGoToTheNextAtOnce() throws Exception {
    RawTask dead = RawTask.inside(node.door(), JOB);
    dead.ask(1, server.address().getPort());
    dead.ask(2, server.address().getPort());
    dead.hear("granted");
    dead.hear("granted");
    try (RawTask next = RawTask.inside(node.door(), "job_1_0002")) {
      next.ask(1, server.address().getPort());
      next.ask(2, server.address().getPort());
      assertThat(node.snapshot().inUse()).isEqualTo(2);
      dead.close();
      next.hear("granted");
      next.hear("granted");
      assertThat(node.snapshot().inUse()).isEqualTo(2);
      await().until(() -> server.open() == 2);
    }
  }

  @Test
  void challengeShowsThatTheNodeManagerKnowsTheSecretToo() throws Exception {
    try (RawTask task = new RawTask(node.door())) {
      assertThat(task.hello(JOB).get("hash").asText()).isNotEqualTo(task.proof(JOB));
    }
  }

  @Test
  void wrongSecretIsRefused() throws Exception {
    try (RawTask task = new RawTask(node.door())) {
      task.hello(JOB);
      task.say("{'type':'proof','hash':'" + task.proof("job_1_0002") + "'}");
      assertThat(task.refusal()).contains("does not know the secret").contains(JOB);
    }
    assertThat(node.controller().count(ThrottleCounter.SESSIONS_REFUSED)).isEqualTo(1);
    assertThat(node.controller().count(ThrottleCounter.SESSIONS_OPENED)).isZero();
  }

  @Test
  void replayedProofIsRefused() throws Exception {
    String proof;
    try (RawTask task = new RawTask(node.door())) {
      task.hello(JOB);
      proof = task.proof(JOB);
      task.say("{'type':'proof','hash':'" + proof + "'}");
      task.hear("welcome");
    }
    try (RawTask thief = new RawTask(node.door())) {
      thief.hello(JOB);
      thief.say("{'type':'proof','hash':'" + proof + "'}");
      assertThat(thief.refusal()).contains("does not know the secret");
    }
  }

  @Test
  void hashOfTheNodeManagerIsNoProofOfATask() throws Exception {
    try (RawTask task = new RawTask(node.door())) {
      String mirrored = task.hello(JOB).get("hash").asText();
      task.say("{'type':'proof','hash':'" + mirrored + "'}");
      assertThat(task.refusal()).contains("does not know the secret");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "garbage, not a message",
    "'{''type'':''nosuch''}', not a message",
    "'{''type'':''hello'',''version'':1,''job'':''a b'',''attempt'':''a'',''nonce'':''n''}', not a"
        + " job",
    "'{''type'':''hello'',''version'':2,''job'':''j'',''attempt'':''a'',''nonce'':''n''}', version"
        + " 2",
    "'{''type'':''hello'',''version'':1,''job'':''unknown'',''attempt'':''a'',''nonce'':''n''}',"
        + " unknown job",
    "'{''type'':''proof'',''hash'':''h''}', greeting",
    "'{''type'':''attach'',''version'':1,''token'':''t''}', no session",
    "'{''type'':''release'',''lease'':1}', greeting"
  })
  void strangerIsRefusedAndTold(String line, String reason) throws Exception {
    try (RawTask stranger = new RawTask(node.door());
        RawTask other = RawTask.inside(node.door(), JOB)) {
      stranger.say(line);
      assertThat(stranger.refusal()).contains(reason);
      other.ask(1, server.address().getPort());
      other.hear("granted");
    }
  }

  @Test
  void lineThatDoesNotEndIsRefused() throws Exception {
    try (RawTask task = new RawTask(node.door())) {
      task.say("x".repeat(10_000));
      assertThat(task.refusal()).contains("4096");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'{''type'':''ask'',''id'':1,''host'':'''',''port'':1,''transport'':''reno''}', not a host",
    "'{''type'':''ask'',''id'':1,''host'':''h'',''port'':0,''transport'':''reno''}', not a port",
    "'{''type'':''ask'',''id'':1,''host'':''h'',''port'':1,''transport'':''A B''}', transport",
    "'{''type'':''ask'',''id'':1,''host'':''h'',''port'':1}', transport",
    "'{''type'':''welcome'',''token'':''t''}', may not say Welcome"
  })
  void taskThatSaysNonsenseIsThrownOutWithWhatItHolds(String line, String reason) throws Exception {
    try (RawTask task = RawTask.inside(node.door(), JOB)) {
      task.ask(9, server.address().getPort());
      task.hear("granted");
      task.say(line);
      assertThat(task.refusal()).contains(reason);
    }
    await().until(() -> node.snapshot().inUse() == 0);
  }

  @Test
  void taskThatAsksAndDoesNotReadIsThrownOut() throws Exception {
    try (RawTask task = RawTask.inside(node.door(), JOB)) {
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 1_000_000; i++) {
                  task.say("{'type':'ping'}");
                }
              })
          .isInstanceOf(java.io.IOException.class);
    }
    RawTask.inside(node.door(), JOB).close();
  }

  @Test
  void taskThatAsksForTooMuchIsThrownOut() throws Exception {
    try (RawTask task = RawTask.inside(node.door(), JOB)) {
      for (int i = 1; i <= 2; i++) {
        task.ask(i, server.address().getPort());
        task.hear("granted");
      }
      for (int i = 3; i <= DoorSession.MAX_WAITING + 3; i++) {
        task.ask(i, server.address().getPort());
      }
      assertThat(task.refusal()).contains("more than " + DoorSession.MAX_WAITING);
    }
    await().until(() -> node.snapshot().inUse() == 0);
  }

  @Test
  void tokenOpensOnce() throws Exception {
    try (RawTask task = new RawTask(node.door())) {
      task.hello(JOB);
      task.say("{'type':'proof','hash':'" + task.proof(JOB) + "'}");
      String attach =
          "{'type':'attach','version':1,'token':'%s'}"
              .formatted(task.hear("welcome").get("token").asText());
      try (RawTask first = new RawTask(node.door());
          RawTask second = new RawTask(node.door())) {
        first.say(attach);
        task.hear("ready");
        second.say(attach);
        assertThat(second.refusal()).contains("no session");
      }
    }
  }

  @Test
  void strangersOfOneUserFillHalfOfTheDoorAtMost() throws Exception {
    List<RawTask> silent = new ArrayList<>();
    try {
      for (int i = 0; i < Strangers.MAX_OF_USER; i++) {
        silent.add(new RawTask(node.door()));
      }
      try (RawTask more = new RawTask(node.door())) {
        assertThat(more.refusal()).contains("strangers of user");
      }
      silent.remove(0).close();
      await().until(() -> isLetIn());
    } finally {
      for (RawTask task : silent) {
        task.close();
      }
    }
  }

  private boolean isLetIn() {
    try (RawTask task = new RawTask(node.door())) {
      task.hello(JOB);
      return true;
    } catch (IOException refused) {
      return false;
    }
  }

  @Test
  void whoDoesNotSayWhoHeIsIsSentAway() throws Exception {
    try (Node hurried = new Node(dir.resolve("hurried"), 2, "", 2_000);
        RawTask inside = RawTask.inside(hurried.door(), JOB);
        RawTask silent = new RawTask(hurried.door());
        RawTask half = new RawTask(hurried.door())) {
      half.hello(JOB);
      half.say("{'type':'proof','hash':'" + half.proof(JOB) + "'}");
      half.hear("welcome");
      assertThat(silent.refusal()).contains("in time");
      assertThat(half.refusal()).contains("in time");
      inside.ask(1, server.address().getPort());
      inside.hear("granted");
    }
  }

  @Test
  void mapHostThatRefusesIsToldAndCostsNoFlow() throws Exception {
    int port = server.address().getPort();
    server.close();
    try (RawTask task = RawTask.inside(node.door(), JOB)) {
      task.ask(1, port);
      assertThat(task.hear("failed").get("reason").asText())
          .contains("127.0.0.1:" + port)
          .containsIgnoringCase("refused");
      await().until(() -> node.snapshot().inUse() == 0);
    }
    assertThat(node.controller().count(ThrottleCounter.CONNECTS_FAILED)).isEqualTo(1);
  }

  @Test
  void requestThatIsWithdrawnWhileItsConnectionIsBeingMadeCostsNoFlow() throws Exception {
    try (BusyHost busy = new BusyHost();
        RawTask task = RawTask.inside(node.door(), JOB)) {
      task.ask(1, busy.port());
      task.ask(2, busy.port());
      await().until(() -> node.snapshot().inUse() == 2);
      task.ask(3, server.address().getPort());
      task.say("{'type':'withdraw','id':1}");
      assertThat(task.hear("granted").get("id").asLong()).isEqualTo(3);
      assertThat(node.snapshot().inUse()).isEqualTo(2);
    }
  }

  @Test
  void everyUserMayKnockAndEveryTaskFindsTheDoor() throws Exception {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(node.door())))
        .isEqualTo("rw-rw-rw-");
    assertThat(DoorPointer.find("/nonexistent," + node.localDirs())).isEqualTo(node.door());
    assertThat(DoorPointer.find("/nonexistent")).isNull();
  }

  @Test
  void closeLeavesNoTrace() throws Exception {
    Path door = node.door();
    node.close();
    assertThat(door).doesNotExist();
    assertThat(DoorPointer.find(node.localDirs())).isNull();
  }

  @Test
  void socketOfADeadNodeManagerIsReplacedAndThatOfALivingOneIsNot() throws Exception {
    Path door = node.door();
    try (Node intruder = new Node(dir.resolve("nm"), 2)) {
      assertThat(intruder.controller().door()).isNull();
    }
    RawTask.inside(door, JOB).close();
    node.close();
    ServerSocketChannel dead =
        ServerSocketChannel.open(StandardProtocolFamily.UNIX)
            .bind(UnixDomainSocketAddress.of(door));
    dead.close();
    DoorPointer.write(dir.resolve("nm"), door);
    node = new Node(dir.resolve("nm"), 2);
    assertThat(node.door()).isEqualTo(door);
    RawTask.inside(door, JOB).close();
  }

  @Test
  void neighboursInOneConfiguredDirectoryDoNotCollide() throws Exception {
    Path shared = dir.resolve("doors");
    try (Node a = new Node(dir.resolve("a"), 1, shared.toString(), Node.GREETING_TIMEOUT_MS);
        Node b = new Node(dir.resolve("b"), 1, shared.toString(), Node.GREETING_TIMEOUT_MS)) {
      assertThat(a.door()).hasParent(shared).isNotEqualTo(b.door());
      assertThat(DoorPointer.find(a.localDirs())).isEqualTo(a.door());
      assertThat(DoorPointer.find(b.localDirs())).isEqualTo(b.door());
    }
    assertThat(shared).isEmptyDirectory();
  }

  @Test
  void pathTooLongForASocketMovesTheDoorToATemporaryDirectory() throws Exception {
    Path temporary;
    try (Node deep = new Node(dir.resolve("d".repeat(100)), 1)) {
      temporary = deep.door().getParent();
      assertThat(DoorPointer.find(deep.localDirs())).isEqualTo(deep.door());
      RawTask.inside(deep.door(), JOB).close();
    }
    assertThat(temporary).doesNotExist();
  }

  @Test
  void descriptorSocketThatEndsEndsTheSession() throws Exception {
    try (RawTask task = new RawTask(node.door())) {
      task.hello(JOB);
      task.say("{'type':'proof','hash':'" + task.proof(JOB) + "'}");
      String token = task.hear("welcome").get("token").asText();
      SocketChannel second = RawTask.connect(node.door());
      RawTask.write(second, "{'type':'attach','version':1,'token':'" + token + "'}");
      task.hear("ready");
      second.close();
      assertThat(task.control.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }
  }

  @Test
  void afterCloseNobodyIsIn() throws Exception {
    RawTask task = RawTask.inside(node.door(), JOB);
    node.close();
    assertThatThrownBy(() -> task.hear("anything")).isInstanceOf(IOException.class);
    task.close();
  }
}
