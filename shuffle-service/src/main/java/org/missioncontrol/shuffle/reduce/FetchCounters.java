/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.mapred.Counters;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.missioncontrol.shuffle.flow.FlowCounters;

/** The job counters of a reducer's fetching. Owned by the reduce thread. */
final class FetchCounters {
  /** Group of our counters; each constant is one. */
  static final String GROUP = "Mission Control";

  /** Group of stock's error counters. */
  static final String ERROR_GROUP = "Shuffle Errors";

  private final Reporter reporter;
  private final Map<JobCounter, Counters.Counter> ours = new EnumMap<>(JobCounter.class);
  private final FlowCounters flows;
  private final Counters.Counter shuffledMaps;
  private final Counters.Counter shuffleBytes;
  private final Counters.Counter failedShuffle;
  private long countedFailures;
  private long countedPenalties;

  FetchCounters(ShuffleConsumerPlugin.Context<?, ?> context, FlowCounters flows) {
    this.flows = flows;
    this.reporter = context.getReporter();
    this.shuffledMaps = context.getShuffledMapsCounter();
    this.shuffleBytes = context.getReduceShuffleBytes();
    this.failedShuffle = context.getFailedShuffleCounter();
    for (JobCounter id : JobCounter.values()) {
      add(id, 0);
    }
    for (FetchFault.Kind kind : FetchFault.Kind.values()) {
      reporter.getCounter(ERROR_GROUP, stockName(kind)).increment(0);
    }
  }

  void add(JobCounter id, long amount) {
    counter(id).increment(amount);
  }

  long value(JobCounter id) {
    return counter(id).getValue();
  }

  void fetched(long bytes, boolean leased, boolean encrypted) {
    came(bytes, leased ? JobCounter.LEASED_BYTES : JobCounter.PLAIN_BYTES);
    add(JobCounter.ENCRYPTED_BYTES, encrypted ? bytes : 0);
  }

  /** From a copy that another reducer on this host has made. */
  void copied(long bytes) {
    came(bytes, JobCounter.COPIED_BYTES);
  }

  /** From a file of this host. */
  void readLocally(long bytes) {
    came(bytes, JobCounter.LOCAL_BYTES);
    add(JobCounter.LOCAL_OUTPUTS, 1);
  }

  private void came(long bytes, JobCounter how) {
    shuffledMaps.increment(1);
    shuffleBytes.increment(bytes);
    flows.received(bytes);
    add(how, bytes);
  }

  private Counters.Counter counter(JobCounter id) {
    return ours.computeIfAbsent(id, key -> reporter.getCounter(GROUP, key.name()));
  }

  void error(FetchFault.Kind kind) {
    reporter.getCounter(ERROR_GROUP, stockName(kind)).increment(1);
  }

  /** Brings the counters up to what the plan has counted. */
  void follow(FetchPlan plan) {
    failedShuffle.increment(plan.failures() - countedFailures);
    countedFailures = plan.failures();
    add(JobCounter.HOST_PENALTIES, plan.penalties() - countedPenalties);
    countedPenalties = plan.penalties();
  }

  private static String stockName(FetchFault.Kind kind) {
    return switch (kind) {
      case CONNECTION, BAD_ID, WRONG_MAP, WRONG_LENGTH, WRONG_REDUCE -> kind.name();
      case HOST, BATCH, CUT, STALLED, BAD_DATA -> "IO_ERROR";
    };
  }
}
