/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.missioncontrol.conf.AdminRules;

/**
 * Jobs that always want more, of the most unequal weights, on few flows; batches take up to {@link
 * #LONGEST_BATCH} of virtual time.
 */
class NoStarvationTest {
  private static final long LONGEST_BATCH = 1_000;
  private static final long END = 100 * LONGEST_BATCH;

  private final Map<String, Long> lastBegun = new HashMap<>();
  private final Map<String, Long> longestWait = new HashMap<>();
  private final PriorityQueue<Batch> running = new PriorityQueue<>();
  private long requests;

  private record Batch(long end, Lease lease) implements Comparable<Batch> {
    @Override
    public int compareTo(Batch other) {
      return Long.compare(end, other.end);
    }
  }

  static Stream<Arguments> cases() {
    return AdminRules.POLICIES.stream()
        .flatMap(
            policy ->
                Stream.of(
                    Arguments.of(policy, 1, 7, 1),
                    Arguments.of(policy, 3, 20, 2),
                    Arguments.of(policy, 10, 11, 3),
                    Arguments.of(policy, 10, 10, 4),
                    Arguments.of(policy, 10, 3, 5)));
  }

  @ParameterizedTest(name = "{0}: {1} flows, {2} jobs")
  @MethodSource("cases")
  void everyJobBeginsABatchWithinABoundedTime(String policy, int budget, int jobs, int seed) {
    Random random = new Random(seed);
    ThrottleBooks books =
        new ThrottleBooks(
            budget,
            SharingRules.of(policy, AdminRules.NONE, job -> "alice"),
            Long.MAX_VALUE / 2,
            Long.MAX_VALUE / 2);
    IntStream.range(0, jobs).forEach(job -> join(books, job, random));
    begin(books.grant(0), 0, random);
    while (!running.isEmpty() && running.peek().end() < END) {
      Batch done = running.remove();
      long now = done.end();
      Lease lease = done.lease();
      if (books.renew(lease.session(), lease.id(), now)) {
        begin(List.of(lease), now, random);
      } else {
        books.release(lease.session(), lease.id());
        books.request(lease.session(), ++requests);
      }
      begin(books.grant(now), now, random);
      assertThat(running).hasSize(budget);
    }
    // Whoever comes first in the queue waits for a batch to end at most; so does each after it.
    long turns = (jobs + budget - 1) / budget;
    lastBegun.keySet().forEach(job -> waited(job, END));
    assertThat(longestWait).hasSize(jobs);
    assertThat(longestWait.values()).allMatch(wait -> wait <= (turns + 1) * LONGEST_BATCH);
  }

  private void join(ThrottleBooks books, int number, Random random) {
    String job = "job_1_" + number;
    String transferClass = random.nextBoolean() ? "shuffle" : "broadcast";
    String priority = "" + random.nextInt(1_000);
    float weight = (float) Math.pow(10, random.nextInt(12) - 6);
    books.announce(
        Transfers.of(job, "default", priority, transferClass, random.nextInt(500), weight), 0);
    books.openSession(number, job, "attempt_of_" + job);
    for (int i = 0; i < 20; i++) {
      books.request(number, ++requests);
    }
    lastBegun.put(job, 0L);
  }

  private void begin(List<Lease> leases, long now, Random random) {
    for (Lease lease : new ArrayList<>(leases)) {
      waited(lease.job(), now);
      lastBegun.put(lease.job(), now);
      running.add(new Batch(now + 1 + random.nextInt((int) LONGEST_BATCH), lease));
    }
  }

  private void waited(String job, long now) {
    longestWait.merge(job, now - lastBegun.get(job), Math::max);
  }
}
