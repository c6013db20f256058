/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.apache.hadoop.mapreduce.task.reduce.MapOutput;
import org.missioncontrol.shuffle.reduce.FetchPlan.Located;

/**
 * Takes from this host's copies what other reducers of a broadcast have fetched. Owned by the
 * reduce thread.
 */
final class CopyReader<K, V> {
  private final HostSharing sharing;
  private final FetchPlan plan;
  private final Inbox inbox;
  private final MergeFeed<K, V> feed;
  private final Executor copiers;
  private final FetchCounters counters;
  private final CopyProgress progress;
  private final LongSupplier clock;
  private final int most;
  private int reading;
  private int reads;

  /**
   * @param most copies that are read at once
   */
  CopyReader(
      HostSharing sharing,
      FetchPlan plan,
      Inbox inbox,
      MergeFeed<K, V> feed,
      Executor copiers,
      FetchCounters counters,
      CopyProgress progress,
      LongSupplier clock,
      int most) {
    this.sharing = sharing;
    this.plan = plan;
    this.inbox = inbox;
    this.feed = feed;
    this.copiers = copiers;
    this.counters = counters;
    this.progress = progress;
    this.clock = clock;
    this.most = most;
  }

  HostSharing sharing() {
    return sharing;
  }

  /** Begins to read what can be read now. */
  void look(long now) {
    if (reading >= most) {
      return;
    }
    for (Located one : plan.takeCopied(sharing.complete(now), most - reading)) {
      reading++;
      progress.begins(now);
      // Below zero, so that no file is named like one of a batch.
      copiers.execute(
          new CopyRead<>(
              sharing.copies(), one.server(), one.attempt(), feed, - ++reads, new Outcome(one)));
    }
  }

  private void ended() {
    reading--;
    progress.ends(clock.getAsLong());
  }

  private void giveBack(Located one) {
    plan.giveBack(one.server(), List.of(one.attempt()), clock.getAsLong());
  }

  /** Carries what a copier tells to the reduce thread. Thread-safe. */
  private final class Outcome implements CopyRead.Listener<K, V> {
    private final Located one;

    Outcome(Located one) {
      this.one = one;
    }

    @Override
    public void read(MapOutput<K, V> output, long bytes, long tookMs) {
      inbox.post(
          new Inbox.Step() {
            @Override
            public void take() throws IOException {
              ended();
              if (!plan.copied(one.attempt(), clock.getAsLong())) {
                output.abort();
                return;
              }
              output.commit();
              counters.copied(bytes);
              progress.copied(one.attempt(), bytes, tookMs, plan.finishedMaps(), clock.getAsLong());
            }

            @Override
            public void discard() {
              output.abort();
            }
          });
    }

    @Override
    public void bad(Exception why) {
      inbox.post(
          () -> {
            ended();
            sharing.useless(one.attempt(), why);
            giveBack(one);
          });
    }

    @Override
    public void fatal(Throwable why) {
      inbox.reportException(why);
    }
  }
}
