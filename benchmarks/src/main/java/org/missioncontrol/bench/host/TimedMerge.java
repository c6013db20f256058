/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.host;

import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapreduce.task.reduce.ExceptionReporter;
import org.apache.hadoop.mapreduce.task.reduce.MergeManagerImpl;
import org.jspecify.annotations.Nullable;

/** Hadoop's merge, which notes when the last output has come. Thread-safe. */
final class TimedMerge<K, V> extends MergeManagerImpl<K, V> {
  private final AtomicReference<@Nullable Usage> end;

  /**
   * @param end is told the time; the last reducer's stays
   */
  TimedMerge(
      ShuffleConsumerPlugin.Context<K, V> context,
      ExceptionReporter reporter,
      AtomicReference<@Nullable Usage> end) {
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
  }

  @Override
  public RawKeyValueIterator close() throws Throwable {
    end.accumulateAndGet(
        Usage.now(), (known, now) -> known == null || now.nanos() > known.nanos() ? now : known);
    return super.close();
  }
}
