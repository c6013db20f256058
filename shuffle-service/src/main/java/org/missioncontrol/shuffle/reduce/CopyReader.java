/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.util.List;
import org.apache.hadoop.mapreduce.task.reduce.MapOutput;
import org.missioncontrol.shuffle.reduce.FetchPlan.Located;

/**
 * Takes from this host's copies what other reducers of a broadcast have fetched. Owned by the
 * reduce thread.
 */
final class CopyReader<K, V> {
  private final FetchParts<K, V> parts;
  private final HostSharing sharing;
  private final int most;
  private int reading;
  private int reads;

  /**
   * @param most copies that are read at once
   */
  CopyReader(FetchParts<K, V> parts, HostSharing sharing, int most) {
    this.parts = parts;
    this.sharing = sharing;
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
    for (Located one : parts.plan().takeCopied(sharing.complete(now), most - reading)) {
      reading++;
      parts.progress().begins(now);
      // Below zero, so that no file is named like one of a batch.
      parts
          .copiers()
          .execute(
              new CopyRead<>(
                  sharing.copies(),
                  one.server(),
                  one.attempt(),
                  parts.feed(),
                  - ++reads,
                  new Outcome(one)));
    }
  }

  private void ended() {
    reading--;
    parts.progress().ends(parts.now());
  }

  private void giveBack(Located one) {
    parts.plan().giveBack(one.server(), List.of(one.attempt()), parts.now());
  }

  /** Carries what a copier tells to the reduce thread. Thread-safe. */
  private final class Outcome implements CopyRead.Listener<K, V> {
    private final Located one;

    Outcome(Located one) {
      this.one = one;
    }

    @Override
    public void read(MapOutput<K, V> output, long bytes, long tookMs) {
      parts.settle(
          output,
          () -> {
            ended();
            boolean first = parts.plan().copied(one.attempt(), parts.now());
            parts.keep(one.attempt(), output, first, bytes, tookMs, parts.counters()::copied);
          });
    }

    @Override
    public void bad(Exception why) {
      parts
          .inbox()
          .post(
              () -> {
                ended();
                sharing.useless(one.attempt(), why);
                giveBack(one);
              });
    }

    @Override
    public void fatal(Throwable why) {
      parts.inbox().reportException(why);
    }
  }
}
