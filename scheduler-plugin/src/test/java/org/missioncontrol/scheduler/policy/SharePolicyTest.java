/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.missioncontrol.conf.AdminRules;
import org.missioncontrol.scheduler.share.WeightedMaxMin;
import org.missioncontrol.scheduler.share.WeightedMaxMin.Claim;

class SharePolicyTest {
  private static final float NO_CAP = Float.POSITIVE_INFINITY;

  private final List<TransferFacts> transfers = new ArrayList<>();

  @ParameterizedTest(name = "{0}: {1} and {2} -> {3} and {4}")
  @CsvSource({
    "fifo,                            NORMAL/shuffle/1,   NORMAL/shuffle/1,   7, 3",
    "priority,                        1/shuffle/1,        2/shuffle/1,        3, 7",
    "priority,                        HIGH/shuffle/1,     LOW/shuffle/1,      7, 3",
    "fair,                            NORMAL/shuffle/1,   NORMAL/shuffle/1,   5, 5",
    "fair,                            VERY_LOW/shuffle/9, HIGH/broadcast/1,   5, 5",
    "performance-centric-by-class,    NORMAL/shuffle/1,   NORMAL/broadcast/1, 3, 7",
    "performance-centric-by-machines, NORMAL/shuffle/2,   NORMAL/broadcast/2, 3, 7",
    "performance-centric-by-machines, NORMAL/shuffle/2,   NORMAL/shuffle/8,   2, 8",
    "performance-centric-by-machines, NORMAL/broadcast/1, NORMAL/broadcast/3, 1, 9",
  })
  void twoJobsGetTheThesisSharesOfTenFlows(
      String policy, String first, String second, int flowsOfFirst, int flowsOfSecond) {
    add(1, first);
    add(2, second);
    assertThat(sharesOfTen(policy)).containsExactly(flowsOfFirst, flowsOfSecond);
  }

  @ParameterizedTest
  @MethodSource("org.missioncontrol.scheduler.policy.SharePolicies#names")
  void aLoneJobHasAll(String policy) {
    add(5, "VERY_LOW/shuffle/3");
    assertThat(sharesOfTen(policy)).containsExactly(10);
  }

  @Test
  void fifoGivesEachJobTwiceTheNextWhateverTheOrderOfTheList() {
    for (int number : new int[] {3, 1, 4, 2}) {
      add(number, "NORMAL/shuffle/1");
    }
    assertThat(weights("fifo")).containsExactly(0.25f, 1, 0.125f, 0.5f);
    assertThat(WeightedMaxMin.shares(30, claims("fifo", 99))).containsExactly(4, 16, 2, 8);
  }

  @Test
  void fifoRanksOnlyTheActiveAndAnIdleJobByWhereItWouldCome() {
    add(1, "NORMAL/shuffle/1");
    add(2, "NORMAL/shuffle/1");
    add(3, "NORMAL/shuffle/1");
    transfers.set(1, transfers.get(1).withActive(false));
    assertThat(weights("fifo")).containsExactly(1, 0.5f, 0.5f);
  }

  @Test
  void fifoStarvesNobodyAndKeepsEarlierJobsAheadAmongThousands() {
    for (int number = 1; number <= 3_000; number++) {
      add(number, "NORMAL/shuffle/1");
    }
    int[] shares = WeightedMaxMin.shares(4_000, claims("fifo", 600));
    assertThat(Arrays.stream(shares).sum()).isEqualTo(4_000);
    assertThat(shares).contains(1).doesNotContain(0);
    assertThat(IntStream.range(1, 3_000)).allMatch(i -> shares[i] <= shares[i - 1]);
  }

  @Test
  void fifoLetsNoWeightOvertake() {
    add(1, "NORMAL/shuffle/1");
    transfers.add(facts("job_1_2", "NORMAL", "shuffle", 1, 50, NO_CAP));
    assertThat(sharesOfTen("fifo")).containsExactly(7, 3);
  }

  @ParameterizedTest
  @CsvSource({
    "fair,                            4,  NO,  2, NO, 2",
    "fair,                            4,  1,   1, NO, 1",
    "priority,                        9,  3,   6, NO, 0.5",
    "performance-centric-by-class,    4,  2,   2, NO, 1",
    "performance-centric-by-machines, 4,  2,   2, NO, 1",
  })
  void wantedWeightsCountWithinTheirCaps(
      String policy, float a, String capOfA, float b, String capOfB, float ratio) {
    transfers.add(facts("job_1_1", "NORMAL", "shuffle", 3, a, cap(capOfA)));
    transfers.add(facts("job_1_2", "NORMAL", "shuffle", 3, b, cap(capOfB)));
    float[] weights = weights(policy);
    assertThat(weights[0] / weights[1]).isEqualTo(ratio);
  }

  @Test
  void aPriorityDoesNotLiftAJobAboveItsCap() {
    transfers.add(facts("job_1_1", "2000000000", "shuffle", 1, 1, 2));
    transfers.add(facts("job_1_2", "NORMAL", "shuffle", 1, 1, NO_CAP));
    assertThat(weights("priority")).containsExactly(2, 1);
    assertThat(SharePolicies.named("priority").asked(transfers.get(0))).isGreaterThan(1e8f);
  }

  @ParameterizedTest
  @CsvSource({
    "VERY_HIGH, 5",
    "high, 4",
    "NORMAL, 3",
    "LOW, 2",
    "VERY_LOW, 1",
    "DEFAULT, 3",
    "'', 3",
    "4, 4",
    "7, 7",
    "0, 0.5",
    "-9, 0.5",
    "much, 3"
  })
  void prioritiesWeighTheirNumber(String priority, float number) {
    transfers.add(facts("job_1_1", priority, "shuffle", 1, 3, NO_CAP));
    assertThat(weights("priority")).containsExactly(number);
  }

  @ParameterizedTest
  @MethodSource("org.missioncontrol.scheduler.policy.SharePolicies#names")
  void weightsArePositiveAndFollowTheTransferNotItsPlace(String policy) {
    Random random = new Random(7);
    for (int i = 0; i < 200; i++) {
      TransferFacts facts =
          facts(
              "job_1_" + i,
              "" + (random.nextInt(9) - 2),
              random.nextBoolean() ? TransferFacts.SHUFFLE : TransferFacts.BROADCAST,
              random.nextBoolean() ? random.nextInt(5) : Integer.MAX_VALUE,
              random.nextBoolean() ? Float.MIN_VALUE : Float.MAX_VALUE,
              random.nextBoolean() ? NO_CAP : 1);
      transfers.add(facts.withActive(random.nextBoolean()));
    }
    float[] weights = weights(policy);
    for (float weight : weights) {
      assertThat(weight).isPositive().isFinite();
    }
    Collections.reverse(transfers);
    float[] reversed = weights(policy);
    for (int i = 0; i < weights.length; i++) {
      assertThat(reversed[weights.length - 1 - i]).isEqualTo(weights[i]);
    }
  }

  @Test
  void jobsArriveInTheOrderOfTheResourceManagersNumbers() {
    List<String> inOrder =
        List.of("job_1_2", "job_1_0010", "job_1_10000", "job_2_1", "job_10_1", "no job", "zzz");
    List<String> sorted = new ArrayList<>(inOrder);
    Collections.shuffle(sorted, new Random(3));
    sorted.sort((a, b) -> Arrival.of(a).compareTo(Arrival.of(b)));
    assertThat(sorted).isEqualTo(inOrder);
  }

  @Test
  void anUnknownNameIsRefusedWithTheKnownOnes() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SharePolicies.named("lottery"))
        .withMessageContainingAll("lottery", "fifo", "priority", "fair", "by-class", "by-machines");
  }

  @Test
  void theAdministratorCanNameEachPolicyAndNoOther() {
    assertThat(SharePolicies.names()).isEqualTo(AdminRules.POLICIES);
    assertThat(SharePolicies.names())
        .allSatisfy(name -> assertThat(SharePolicies.named(name).name()).isEqualTo(name));
  }

  private void add(int number, String facts) {
    String[] parts = facts.split("/");
    transfers.add(
        facts("job_1_" + number, parts[0], parts[1], Integer.parseInt(parts[2]), 1, NO_CAP));
  }

  private static TransferFacts facts(
      String job, String priority, String transferClass, int machines, float wanted, float cap) {
    return new TransferFacts(Arrival.of(job), priority, transferClass, machines, wanted, cap, true);
  }

  private static float cap(String text) {
    return text.equals("NO") ? NO_CAP : Float.parseFloat(text);
  }

  private float[] weights(String policy) {
    return SharePolicies.named(policy).weights(transfers);
  }

  private List<Claim> claims(String policy, int demand) {
    float[] weights = weights(policy);
    return IntStream.range(0, weights.length).mapToObj(i -> new Claim(weights[i], demand)).toList();
  }

  private int[] sharesOfTen(String policy) {
    return WeightedMaxMin.shares(10, claims(policy, 99));
  }
}
