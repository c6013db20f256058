/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.terasort;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.junit.jupiter.api.Test;

class ReportTest {
  private final Report report = new Report();

  @Test
  void aSortWhoseEveryByteWasLeasedPasses() {
    report.bytes(sort(100, 100, 0));
    assertThat(report.passed()).isTrue();
    assertThat(report.outcome()).isEqualTo("PASSED");
  }

  @Test
  void aSortThatReadPartOfItsBytesFromFilesOfItsHostPasses() {
    Phase sort = sort(100, 60, 0);
    sort.counters().findCounter(Phase.OURS, "LOCAL_BYTES").setValue(40);
    report.bytes(sort);
    assertThat(report.outcome()).isEqualTo("PASSED");
    assertThat(report.toString()).containsPattern("from files of the reducer's host +40");
  }

  @Test
  void oneByteOverAPlainSocketFails() {
    report.bytes(sort(100, 99, 1));
    assertThat(report.outcome()).startsWith("FAILED").contains("99 and 0 of 100");
  }

  @Test
  void aSortWithStocksReducerFails() {
    report.bytes(sort(100, 0, 0));
    assertThat(report.passed()).isFalse();
  }

  @Test
  void rowsOutOfOrderFailAndAreQuoted() {
    report.verdict(new Verdict(List.of("bad key partitioning"), 1, 1));
    assertThat(report.outcome()).contains("bad key partitioning");
  }

  @Test
  void anotherChecksumThanGeneratedFails() {
    report.verdict(new Verdict(List.of(), 1, 2));
    assertThat(report.passed()).isFalse();
  }

  @Test
  void moreFlowsThanTheBudgetFail() throws Exception {
    HostFlows host = new HostFlows();
    host.add(
        new ObjectMapper()
            .readTree(
                """
                {"budget": 2, "inUse": 3,
                 "jobs": [{"job": "job_1_1", "weight": 2, "announced": true, "share": 2,
                   "flows": [{"id": 7, "transport": "reno", "congestionControl": "cubic",
                     "refusal": "no reno here"}]}],
                 "served": [{"peer": "127.0.0.2:9", "transport": "reno",
                   "congestionControl": "reno", "refusal": null}]}
                """));
    report.flows(Map.of("127.0.0.1", host), 1);
    assertThat(report.outcome()).contains("3 flows in use, budget 2");
    assertThat(report.toString())
        .contains("job_1_1")
        .containsPattern("reducer +reno +cubic +refused: no reno here +1")
        .containsPattern("server +reno +reno +1");
  }

  private static Phase sort(long shuffled, long leased, long plain) {
    Counters counters = new Counters();
    counters.findCounter(TaskCounter.REDUCE_SHUFFLE_BYTES).setValue(shuffled);
    counters.findCounter(Phase.OURS, "LEASED_BYTES").setValue(leased);
    counters.findCounter(Phase.OURS, "PLAIN_BYTES").setValue(plain);
    return new Phase("TeraSort", "job_1_1", 1, counters);
  }
}
