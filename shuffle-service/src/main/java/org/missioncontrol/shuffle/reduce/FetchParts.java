/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

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
}
