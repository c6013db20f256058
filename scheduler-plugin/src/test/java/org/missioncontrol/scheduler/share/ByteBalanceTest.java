/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.missioncontrol.scheduler.share.ByteBalance.Contender;
import org.missioncontrol.scheduler.share.WeightedMaxMin.Claim;

/** On a link whose TCP is unfair: some jobs' flows get more of it than others' do. */
class ByteBalanceTest {
  private static final int STEP_MS = 100;
  private static final int BUDGET = 56;
  private static final double LINK_BYTES_PER_STEP = 2_500_000;

  /** Steps until a share that has changed is in force. */
  private static final int DELAY = 2;

  private final ByteBalance balance = new ByteBalance();
  private long nowNanos = 5;

  private void sample(Contender... contenders) {
    balance.sample(List.of(contenders), nowNanos);
    nowNanos += TimeUnit.MILLISECONDS.toNanos(STEP_MS);
  }

  private static Contender job(String name, float weight, long bytes) {
    return new Contender(name, weight, bytes);
  }

  @Test
  void aJobThatHasJustComeIsNotCorrected() {
    sample(job("a", 1, 0), job("b", 1, 77_000_000));
    assertThat(balance.factor("a")).isEqualTo(1);
    assertThat(balance.factor("b")).isEqualTo(1);
  }

  @Test
  void nothingIsCorrectedWhileNoByteMoves() {
    for (int i = 0; i < 50; i++) {
      sample(job("a", 1, 10), job("b", 5, 0));
    }
    assertThat(balance.factor("a")).isEqualTo(1);
    assertThat(balance.factor("b")).isEqualTo(1);
  }

  @Test
  void whoIsBehindCountsForMoreAndWhoIsAheadForLess() {
    sample(job("a", 1, 0), job("b", 1, 0));
    sample(job("a", 1, 1_000), job("b", 1, 3_000));
    assertThat(balance.factor("a")).isGreaterThan(1.1f);
    assertThat(balance.factor("b")).isLessThan(0.9f);
    sample(job("b", 1, 3_000));
    assertThat(balance.factor("a")).as("of one that does not contend any more").isEqualTo(1);
  }

  @Test
  void theCorrectionIsBounded() {
    for (int i = 0; i < 200; i++) {
      sample(job("a", 1, 0), job("b", 1, i * 1_000L));
    }
    assertThat(balance.factor("a")).isEqualTo(2, within(1e-4f));
    assertThat(balance.factor("b")).isEqualTo(0.5f, within(1e-4f));
  }

  static Stream<Arguments> unfairLinks() {
    return Stream.of(
        Arguments.of(new float[] {1, 1}, 1),
        Arguments.of(new float[] {2, 1}, 2),
        Arguments.of(new float[] {4, 2, 1}, 3),
        Arguments.of(new float[] {1, 1, 1, 1, 1, 1, 1, 1}, 4),
        Arguments.of(new float[] {1, 1, 1, 1, 1, 1, 1, 1}, 5));
  }

  @ParameterizedTest
  @MethodSource("unfairLinks")
  void bytesFollowTheWeightsOverSecondsThoughFlowsAreUnequal(float[] weights, int seed) {
    Random random = new Random(seed);
    int jobs = weights.length;
    double[] strength = random.doubles(jobs, 0.65, 1.35).toArray();
    double[] bytes = new double[jobs];
    double[] begin = new double[jobs];
    Deque<int[]> shares = new ArrayDeque<>();
    for (int step = 0; step < 60; step++) {
      balance.sample(
          IntStream.range(0, jobs)
              .mapToObj(i -> new Contender("job" + i, weights[i], (long) bytes[i]))
              .toList(),
          nowNanos);
      nowNanos += TimeUnit.MILLISECONDS.toNanos(STEP_MS);
      shares.addLast(
          WeightedMaxMin.shares(
              BUDGET,
              IntStream.range(0, jobs)
                  .mapToObj(i -> new Claim(weights[i] * balance.factor("job" + i), 2 * BUDGET))
                  .toList()));
      int[] held = shares.size() > DELAY ? shares.removeFirst() : shares.peekFirst();
      double all = IntStream.range(0, jobs).mapToDouble(i -> held[i] * strength[i]).sum();
      for (int i = 0; i < jobs; i++) {
        double noise = 0.9 + 0.2 * random.nextDouble();
        bytes[i] += LINK_BYTES_PER_STEP * noise * held[i] * strength[i] / all;
      }
      if (step == 19) {
        System.arraycopy(bytes, 0, begin, 0, jobs);
      }
    }
    double[] moved = IntStream.range(0, jobs).mapToDouble(i -> bytes[i] - begin[i]).toArray();
    double all = Arrays.stream(moved).sum();
    double weight = IntStream.range(0, jobs).mapToDouble(i -> weights[i]).sum();
    for (int i = 0; i < jobs; i++) {
      assertThat(moved[i] / (all * weights[i] / weight)).as("job %s", i).isBetween(0.95, 1.05);
    }
  }
}
