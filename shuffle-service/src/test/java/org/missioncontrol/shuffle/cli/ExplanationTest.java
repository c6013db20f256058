/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.missioncontrol.scheduler.share.WeightedMaxMin;
import org.missioncontrol.scheduler.share.WeightedMaxMin.Claim;
import org.missioncontrol.shuffle.status.StatusReport;
import org.missioncontrol.shuffle.throttle.ThrottleSnapshot.JobFlows;
import org.missioncontrol.shuffle.throttle.ThrottleSnapshot.LeasedFlow;
import org.missioncontrol.shuffle.throttle.ThrottleSnapshot.TransportUse;
import org.missioncontrol.transport.HostCapabilities;
import org.missioncontrol.transport.HostTraits;
import org.missioncontrol.transport.TransportDecision;

class ExplanationTest {
  @Test
  void ofTwoJobsTheOneOfDoubleWeightHasSevenOfTen() {
    StatusReport host = host(10, job(1, 2f, 20, 7), job(2, 1f, 20, 3));

    Explanation heavy = explain(host, 1);
    assertThat(heavy.share()).isEqualTo(7);
    assertThat(heavy.computedShare()).isEqualTo(7);
    assertThat(heavy.partByWeight()).isEqualTo(20 / 3.0);
    assertThat(heavy.reasons())
        .contains(
            "By weight alone it would have 6.67 of 10 flows; in whole flows that makes 7.",
            "With twice that weight it would be 8.");
    assertThat(explain(host, 2).reasons()).contains("With twice that weight it would be 5.");
  }

  @Test
  void saysWhoLeavesFlowsToOthers() {
    StatusReport host = host(10, job(1, 1f, 2, 2), job(2, 1f, 20, 8));

    assertThat(explain(host, 1).reasons())
        .contains(
            "It may hold all that it wants.", "If its tasks wanted more, it could hold up to 5.");
    assertThat(explain(host, 2).reasons())
        .contains(
            "By weight alone it would have 5 of 10 flows; jobs that want less than their part leave"
                + " it to the others; in whole flows that makes 8.");
  }

  @Test
  void saysWhyAJobHasNothingOrLessOrMoreThanItsShare() {
    assertThat(explain(host(10, job(1, 1f, 0, 0)), 1).reasons().get(0)).contains("share is 0");
    assertThat(explain(host(10, job(1, 1f, 20, 9), job(2, 1f, 20, 1)), 1).reasons())
        .anyMatch(reason -> reason.startsWith("It still holds 9"));
    assertThat(explain(host(10, job(1, 1f, 20, 9), job(2, 1f, 20, 1)), 2).reasons())
        .anyMatch(reason -> reason.contains("it gets what others give back"));
    assertThat(explain(host(10, job(1, 1f, 20, 4)), 1).reasons())
        .anyMatch(reason -> reason.contains("the others are being opened"));
  }

  @Test
  void saysThatJobsTakeTurnsWhereTheyOutnumberTheFlows() {
    StatusReport host = host(2, job(1, 1f, 5, 1), job(2, 1f, 5, 1), job(3, 9f, 5, 0));

    assertThat(explain(host, 3).reasons()).anyMatch(reason -> reason.contains("take turns"));
  }

  @Test
  void aJobThatTheHostDoesNotKnowHasNoExplanation() {
    assertThat(Explanation.of(host(10, job(1, 1f, 1, 1)), "job_1_0002")).isNull();
  }

  @Test
  void neverDisagreesWithTheBooks() {
    Random random = new Random(7);
    for (int round = 0; round < 500; round++) {
      int budget = 1 + random.nextInt(40);
      Job[] jobs =
          IntStream.rangeClosed(1, 1 + random.nextInt(8))
              .mapToObj(i -> job(i, 0.1f + random.nextInt(80) / 10f, random.nextInt(30), 0))
              .toArray(Job[]::new);
      StatusReport host = host(budget, jobs);
      for (Job job : jobs) {
        Explanation explanation = explain(host, job.number());
        assertThat(explanation.computedShare()).isEqualTo(explanation.share());
        assertThat(explanation.reasons()).isNotEmpty().noneMatch(r -> r.contains("versions"));
        assertThat(explanation.shareWithTwiceTheWeight())
            .isGreaterThanOrEqualTo(explanation.share());
      }
    }
  }

  @Test
  void theTextShowsEveryClaimAndMarksTheJob() {
    String text =
        ExplanationText.of(
            explain(host(10, job(1, 2f, 20, 7), job(2, 1f, 20, 3)), 2), "node7:13562");

    assertThat(text)
        .startsWith("job_1_0002 of alice on node7:13562 holds 3 flows and may hold 3\n")
        .contains("  * job_1_0002", "    job_1_0001", "10 flows on this host, 10 in use")
        .contains("  - With twice that weight it would be 5.\n")
        .contains("  transport  reno, by rule.7 (user is alice), from node8 node9 and 1 more")
        .contains(
            "  - Before reno was passed over: rule.1: transport mptcp is not to be had here.\n");
  }

  record Job(int number, float weight, int demand, int held) {
    String id() {
      return String.format("job_1_%04d", number);
    }
  }

  static Job job(int number, float weight, int demand, int held) {
    return new Job(number, weight, demand, held);
  }

  static Explanation explain(StatusReport host, int number) {
    return Objects.requireNonNull(Explanation.of(host, String.format("job_1_%04d", number)));
  }

  /** A host whose shares are those of the shipped rule. */
  static StatusReport host(int budget, Job... jobs) {
    int[] shares =
        WeightedMaxMin.shares(
            budget,
            java.util.Arrays.stream(jobs).map(j -> new Claim(j.weight(), j.demand())).toList());
    return new StatusReport(
        "0.1.0",
        "node7",
        13562,
        60_000,
        new StatusReport.Door("/door", null),
        new HostCapabilities(true, "cubic", List.of("cubic", "reno")),
        HostTraits.UNKNOWN,
        new StatusReport.Sharing("fair", null, null),
        budget,
        java.util.Arrays.stream(jobs).mapToInt(Job::held).sum(),
        jobs.length,
        IntStream.range(0, jobs.length)
            .mapToObj(
                i ->
                    new JobFlows(
                        jobs[i].id(),
                        "alice",
                        jobs[i].weight(),
                        null,
                        jobs[i].weight(),
                        1,
                        true,
                        "shuffle",
                        jobs[i].demand(),
                        shares[i],
                        IntStream.range(0, jobs[i].held()).mapToObj(ExplanationTest::flow).toList(),
                        List.of(
                            new TransportUse(
                                new TransportDecision(
                                    "reno",
                                    "rule.7",
                                    "user is alice",
                                    List.of("rule.1: transport mptcp is not to be had here")),
                                List.of("node8", "node9"),
                                3))))
            .toList(),
        List.of(),
        List.of(),
        List.of(),
        Map.of());
  }

  private static LeasedFlow flow(int id) {
    return new LeasedFlow(id, "attempt_1", "n:1", "default", "cubic", 0, null, 1, "rule.7", null);
  }
}
