/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.terasort;

import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.TaskCounter;

/**
 * One job that succeeded. Immutable.
 *
 * @param seconds from its submission to its end, as the client sees it
 */
record Phase(String name, String jobId, double seconds, Counters counters) {
  static final String OURS = "Mission Control";

  long counter(String group, String counter) {
    Counter found = counters.findCounter(group, counter);
    return found == null ? 0 : found.getValue();
  }

  long ours(String counter) {
    return counter(OURS, counter);
  }

  /** Whether every shuffled byte came over a leased flow or from a file of the reducer's host. */
  boolean wasLeasedOrLocal() {
    return ours("LEASED_BYTES") + ours("LOCAL_BYTES") == shuffledBytes()
        && ours("PLAIN_BYTES") == 0;
  }

  long shuffledBytes() {
    return counters.findCounter(TaskCounter.REDUCE_SHUFFLE_BYTES).getValue();
  }
}
