/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.host;

import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapreduce.task.reduce.ExceptionReporter;
import org.apache.hadoop.mapreduce.task.reduce.MergeManagerImpl;
import org.jspecify.annotations.Nullable;

/**
 * Hadoop's merge, which notes when the last output has come, and ends only when all reducers have
 * all of theirs: no final merge takes processor time from another's shuffle. Thread-safe.
 */
final class TimedMerge<K, V> extends MergeManagerImpl<K, V> {
  private final AtomicReference<@Nullable Usage> end;
  private final Phaser shuffling;

  /**
   * @param end is told the time; the last reducer's stays
   * @param shuffling all reducers that have not ended
   */
  TimedMerge(
      ShuffleConsumerPlugin.Context<K, V> context,
      ExceptionReporter reporter,
      AtomicReference<@Nullable Usage> end,
      Phaser shuffling) {
    super(
        context.getReduceId(),
        context.getJobConf(),
        context.getLocalFS(),
        context.getLocalDirAllocator(),
        context.getReporter(),
        context.getCodec(),
        context.getCombinerClass(),
        context.getCombineCollector(),
        context.getSpilledRecordsCounter(),
        context.getReduceCombineInputCounter(),
        context.getMergedMapOutputsCounter(),
        reporter,
        context.getMergePhase(),
        context.getMapOutputFile());
    this.end = end;
    this.shuffling = shuffling;
  }

  @Override
  public RawKeyValueIterator close() throws Throwable {
    end.accumulateAndGet(
        Usage.now(), (known, now) -> known == null || now.nanos() > known.nanos() ? now : known);
    shuffling.arriveAndAwaitAdvance();
    return super.close();
  }
}
