/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.missioncontrol.shuffle.throttle.TaskShares.Task;

class TaskSharesTest {
  private static final long LEASE_MAX = 10_000;

  private final TaskShares shares = new TaskShares();
  private long now;
  private long requests;

  @Test
  void flowsFollowTheBytesThatTasksStillWant() {
    shares.told(Map.of("a", 900L, "b", 100L));
    assertThat(split(10, task("a", 0), task("b", 0))).containsExactly(9, 1);
    assertThat(split(10, task("a", 800), task("b", 0))).containsExactly(5, 5);
    assertThat(split(10, task("a", 890), task("b", 10))).containsExactly(1, 9);
  }

  @Test
  void tasksAreEqualWhileNothingIsKnown() {
    assertThat(split(10, task("a", 700), task("b", 0))).containsExactly(5, 5);
  }

  @Test
  void unknownTaskCountsAsTheAverage() {
    shares.told(Map.of("a", 300L, "b", 100L));
    assertThat(split(12, task("a", 0), task("b", 0), task("c", 0))).containsExactly(6, 2, 4);
  }

  @Test
  void taskThatHasMoreThanWasToldStillGetsAFlow() {
    shares.told(Map.of("a", 1L << 40, "b", 1L));
    assertThat(split(10, task("a", 0), task("b", 500))).containsExactly(9, 1);
  }

  @Test
  void whatATaskCannotUseGoesToTheOthers() {
    shares.told(Map.of("a", 900L, "b", 100L));
    assertThat(split(10, new Task("a", 0, 2), task("b", 0))).containsExactly(2, 8);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void allFlowsAreUsedAndMoreBytesNeverMeanFewerFlows(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 500; round++) {
      int tasks = 1 + random.nextInt(8);
      int flows = tasks + random.nextInt(20);
      long[] bytes = random.longs(tasks, 1, 1_000_000).toArray();
      shares.told(
          Map.ofEntries(
              IntStream.range(0, tasks)
                  .mapToObj(i -> Map.entry("t" + i, bytes[i]))
                  .<Map.Entry<String, Long>>toArray(Map.Entry[]::new)));
      int[] split =
          split(
              flows,
              IntStream.range(0, tasks).mapToObj(i -> task("t" + i, 0)).toArray(Task[]::new));
      assertThat(IntStream.of(split).sum()).isEqualTo(flows);
      for (int i = 0; i < tasks; i++) {
        assertThat(split[i]).isPositive();
        for (int j = 0; j < tasks; j++) {
          if (bytes[i] > bytes[j]) {
            assertThat(split[i]).isGreaterThanOrEqualTo(split[j] - 1);
          }
        }
      }
    }
  }

  @Test
  void flowsMoveToTheTaskThatHasMoreLeftAsBytesCome() {
    ThrottleBooks books = new ThrottleBooks(10, Transfers.FAIR, LEASE_MAX, LEASE_MAX);
    books.announce(Transfers.shuffle("job", 1), now);
    books.wants("job", Map.of("large", 900L, "small", 100L));
    books.openSession(1, "job", "large");
    books.openSession(2, "job", "small");
    ask(books, 1, 20);
    ask(books, 2, 20);
    List<Lease> leases = new ArrayList<>(books.grant(now));
    assertThat(held(books)).isEqualTo(Map.of("large", 9L, "small", 1L));

    books.received(1, 850);
    for (Lease lease : List.copyOf(leases)) {
      if (!books.renew(lease.session(), lease.id(), now)) {
        books.release(lease.session(), lease.id());
        books.grant(now);
      }
    }
    assertThat(held(books))
        .as("50 and 100 bytes are left")
        .isEqualTo(Map.of("large", 3L, "small", 7L));
  }

  @Test
  void noTaskStarvesHoweverLittleItWants() {
    ThrottleBooks books = new ThrottleBooks(2, Transfers.FAIR, LEASE_MAX, LEASE_MAX);
    books.announce(Transfers.shuffle("job", 1), now);
    books.wants("job", Map.of("t1", 1_000_000L, "t2", 1_000_000L, "t3", 1L, "t4", 1L, "t5", 1L));
    for (int task = 1; task <= 5; task++) {
      books.openSession(task, "job", "t" + task);
      ask(books, task, 50);
    }
    List<String> turns = new ArrayList<>();
    List<Lease> running = new ArrayList<>(books.grant(now));
    for (int batch = 0; batch < 20; batch++) {
      Lease done = running.remove(0);
      turns.add(done.attempt());
      if (books.renew(done.session(), done.id(), now)) {
        running.add(done);
      } else {
        books.release(done.session(), done.id());
      }
      running.addAll(books.grant(now));
      assertThat(running).hasSize(2);
    }
    assertThat(turns).contains("t1", "t2", "t3", "t4", "t5");
  }

  private Map<String, Long> held(ThrottleBooks books) {
    return books.lines(now).get(0).leases().stream()
        .collect(
            java.util.stream.Collectors.groupingBy(
                Lease::attempt, java.util.stream.Collectors.counting()));
  }

  private void ask(ThrottleBooks books, long session, int flows) {
    for (int i = 0; i < flows; i++) {
      books.request(session, ++requests);
    }
  }

  private int[] split(int flows, Task... tasks) {
    return shares.split(flows, List.of(tasks));
  }

  private static Task task(String attempt, long received) {
    return new Task(attempt, received, 100);
  }
}
