/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.mapreduce.task.reduce.MapOutput;

/**
 * What all ways to a map output work with: over a flow, from a file of this host, from another
 * reducer's copy. Immutable.
 *
 * @param copiers run what blocks
 * @param clock milliseconds of a monotonic clock
 */
record FetchParts<K, V>(
    FetchPlan plan,
    Inbox inbox,
    MergeFeed<K, V> feed,
    Executor copiers,
    FetchCounters counters,
    CopyProgress progress,
    LongSupplier clock) {
  long now() {
    return clock.getAsLong();
  }

  /** Has the reduce thread settle an output that has come; if it never does, it is aborted. */
  void settle(MapOutput<K, V> output, Inbox.Step step) {
    inbox.post(
        new Inbox.Step() {
          @Override
          public void take() throws IOException {
            step.take();
          }

          @Override
          public void discard() {
            output.abort();
          }
        });
  }

  /**
   * Commits an output, counts and shows it; throws it away if another attempt's was first. On the
   * reduce thread.
   *
   * @param first as the plan tells
   * @param bytes of the output
   * @param count counts them by the way they came
   */
  void keep(
      MapAttempt map,
      MapOutput<K, V> output,
      boolean first,
      long bytes,
      long tookMs,
      LongConsumer count)
      throws IOException {
    if (!first) {
      output.abort();
      return;
    }
    output.commit();
    count.accept(bytes);
    progress.copied(map, bytes, tookMs, plan.finishedMaps(), now());
  }
}
