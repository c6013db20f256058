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

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.missioncontrol.shuffle.door.DoorMessage.AskFiles;
import org.missioncontrol.transport.linux.PassedFile;

@EnabledOnOs(OS.LINUX)
class FilesAtTheDoorTest {
  private static final String JOB = "job_1_0001";
  private static final int PORT = 4711;

  @TempDir private Path dir;
  private Node node;
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger opened = new AtomicInteger();
  private final CountDownLatch diskHangs = new CountDownLatch(1);

  @BeforeEach
  void start() throws Exception {
    node = new Node(dir, 4);
    Path file = Files.writeString(dir.resolve("map"), "0123456789");
    node.controller()
        .passFiles(
            (job, attempt, reduce) -> {
              asked.incrementAndGet();
              if (attempt.startsWith("hang")) {
                try {
                  diskHangs.await();
                } catch (InterruptedException e) {
                  throw new IOException("the NodeManager stops", e);
                }
              }
              if (!attempt.startsWith("a") && !attempt.startsWith("hang")) {
                throw new IOException("no " + attempt + " of " + job + " for " + reduce);
              }
              opened.incrementAndGet();
              return new MapFiles.MapFile(PassedFile.open(file, reduce), 10 - reduce, 7);
            },
            PORT);
  }

  @AfterEach
  void stop() throws Exception {
    diskHangs.countDown();
    node.close();
  }

  private static String ask(long id, int reduce, String... maps) {
    return "{'type':'ask-files','id':%d,'reduce':%d,'maps':['%s']}"
        .formatted(id, reduce, String.join("','", maps));
  }

  private static String[] many(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> prefix + i).toArray(String[]::new);
  }

  private long openHere() throws IOException {
    try (var links = Files.list(Path.of("/proc/self/fd"))) {
      return links
          .filter(link -> link.toFile().exists())
          .filter(
              link -> {
                try {
                  return Files.readSymbolicLink(link).startsWith(dir);
                } catch (IOException gone) {
                  return false;
                }
              })
          .count();
    }
  }

  @Test
  void eachOutputIsAnsweredAloneAndNoFileStaysOpenInTheNodeManager() throws Exception {
    try (RawTask task = RawTask.inside(node.door(), JOB)) {
      task.say(ask(5, 3, "a1", "b", "a2"));
      JsonNode first = task.hear("file");
      assertThat(first.get("id").asLong()).isEqualTo(5);
      assertThat(first.get("map").asText()).isEqualTo("a1");
      assertThat(first.get("partLength").asLong()).isEqualTo(7);
      assertThat(first.get("rawLength").asLong()).isEqualTo(7);
      assertThat(task.hear("no-file").get("reason").asText()).isEqualTo("no b of job_1_0001 for 3");
      assertThat(task.hear("file").get("map").asText()).isEqualTo("a2");
    }
    await().until(() -> openHere() == 0);
    assertThat(node.controller().count(ThrottleCounter.FILES_PASSED)).isEqualTo(2);
    assertThat(node.controller().count(ThrottleCounter.FILE_BYTES_PASSED)).isEqualTo(14);
    assertThat(node.controller().count(ThrottleCounter.FILES_REFUSED)).isEqualTo(1);
    assertThat(node.snapshot().inUse()).isZero();
  }

  @Test
  void portIsToldToWhoComesIn() throws Exception {
    try (RawTask task = RawTask.inside(node.door(), JOB)) {
      assertThat(task.files()).isEqualTo(PORT);
    }
  }

  @Test
  void askingForTooManyAtOnceIsRefused() throws Exception {
    try (RawTask task = RawTask.inside(node.door(), JOB)) {
      task.say(ask(1, 0, many("a", AskFiles.MOST + 1)));
      assertThat(task.refusal()).contains("32");
    }
    assertThat(opened).hasValue(0);
  }

  @Test
  void askingForMoreWhileADiskHangsIsRefusedAndWhatWasOpenedIsClosed() throws Exception {
    try (RawTask task = RawTask.inside(node.door(), JOB)) {
      int requests = DoorSession.MAX_FILES / AskFiles.MOST;
      for (int i = 0; i < requests; i++) {
        task.say(ask(i, 0, many("hang", AskFiles.MOST)));
      }
      await().until(() -> asked.get() == FileDesk.REQUESTS_OF_A_JOB);
      task.say(ask(requests, 0, "a"));
      assertThat(task.refusal()).contains("more than 128 files");
    }
    diskHangs.countDown();
    await().until(() -> opened.get() == FileDesk.REQUESTS_OF_A_JOB && openHere() == 0);
    assertThat(node.controller().count(ThrottleCounter.FILES_PASSED)).isZero();
  }

  @Test
  void whileADiskHangsForSomeJobsAnotherGetsItsFiles() throws Exception {
    List<RawTask> hanging = new ArrayList<>();
    try (RawTask task = RawTask.inside(node.door(), JOB)) {
      for (int job = 2; job < 6; job++) {
        RawTask other = RawTask.inside(node.door(), "job_1_000" + job);
        hanging.add(other);
        for (int i = 0; i <= FileDesk.REQUESTS_OF_A_JOB; i++) {
          other.say(ask(i, 0, "hang"));
        }
      }
      int held = hanging.size() * FileDesk.REQUESTS_OF_A_JOB;
      await().untilAsserted(() -> assertThat(asked).hasValue(held));
      task.say(ask(1, 0, "a"));
      assertThat(task.hear("file").get("map").asText()).isEqualTo("a");
      assertThat(asked).hasValue(held + 1);
    } finally {
      for (RawTask other : hanging) {
        other.close();
      }
    }
  }

  @Test
  void whatWaitedBehindAHangingDiskIsPassedWhenItGoesOn() throws Exception {
    try (RawTask task = RawTask.inside(node.door(), JOB)) {
      int requests = 2 * FileDesk.REQUESTS_OF_A_JOB;
      for (int i = 0; i < requests; i++) {
        task.say(ask(i, 0, "hang"));
      }
      await().untilAsserted(() -> assertThat(asked).hasValue(FileDesk.REQUESTS_OF_A_JOB));
      diskHangs.countDown();
      Set<Long> answered = new HashSet<>();
      for (int i = 0; i < requests; i++) {
        answered.add(task.hear("file").get("id").asLong());
      }
      assertThat(answered).hasSize(requests);
    }
  }

  @Test
  void namesThatAreNoneAndPartitionsBelowZeroAreRefused() throws Exception {
    String[] lines = {
      ask(1, 0, "../../etc/passwd"), ask(1, -1, "a"), "{'type':'ask-files','id':1,'maps':[]}"
    };
    for (String line : lines) {
      try (RawTask task = RawTask.inside(node.door(), JOB)) {
        task.say(line);
        assertThat(task.refusal()).isNotEmpty();
      }
    }
    assertThat(opened).hasValue(0);
  }

  @Test
  void whoDoesNotKnowTheSecretGetsNoFile() throws Exception {
    try (RawTask task = new RawTask(node.door())) {
      task.hello(JOB);
      task.say(ask(1, 0, "a"));
      assertThat(task.refusal()).contains("AskFiles where a greeting belongs");
    }
    assertThat(opened).hasValue(0);
  }

  @Test
  void taskThatTakesNoDescriptorsIsThrownOutAndNothingStaysOpen() throws Exception {
    try (RawTask task = RawTask.inside(node.door(), JOB)) {
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 1000; i++) {
                  task.say(ask(i, 0, many("a", AskFiles.MOST)));
                  for (int j = 0; j < AskFiles.MOST; j++) {
                    task.hear("file");
                  }
                }
              })
          .isInstanceOf(IOException.class);
    }
    await().until(() -> node.controller().count(ThrottleCounter.SESSIONS_CLOSED) == 1);
    // What was passed and not taken is closed by the kernel with the socket.
    await().until(() -> openHere() == 0);
  }

  @Test
  void longestNamesOfAFullRequestFitIntoALine() {
    assertThat(
            IntStream.range(0, AskFiles.MOST)
                .mapToObj(i -> "attempt_1700000000000_99999_m_9999%02d_10".formatted(i))
                .collect(Collectors.joining("','", ask(1, 0), "'"))
                .length())
        .isLessThan(org.missioncontrol.shuffle.door.DoorMessage.MAX_LINE_BYTES);
  }
}
