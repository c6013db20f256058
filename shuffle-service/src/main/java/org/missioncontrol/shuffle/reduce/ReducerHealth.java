/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is done, and whether this reducer should give up so that another host may try: the rules and
 * ratios of Hadoop's ShuffleSchedulerImpl, but never before {@code patience} without progress,
 * since here the first failures are counted seconds after they happen, there minutes. Owned by
 * {@link FetchPlan}.
 */
final class ReducerHealth {
  private static final int MAX_FAILING_MAPS = 5;
  private static final int MAX_FAILURES_OF_ONE_MAP = 30;

  private final int maps;
  private final long patience;
  private final long start;
  private final BitSet finished = new BitSet();
  private final Set<String> failing = new HashSet<>();
  private long lastProgress;
  private long longestMap;
  private int failures;
  private @Nullable String verdict;

  ReducerHealth(int maps, long patience, long now) {
    this.maps = maps;
    this.patience = patience;
    this.start = now;
    this.lastProgress = now;
  }

  boolean missing(int map) {
    return !finished.get(map);
  }

  int missing() {
    return maps - finished.cardinality();
  }

  int finished() {
    return finished.cardinality();
  }

  int failures() {
    return failures;
  }

  void mapRanFor(int milliseconds) {
    longestMap = Math.max(longestMap, milliseconds);
  }

  void finished(int map) {
    finished.set(map);
  }

  /** False when the map was finished already. */
  boolean succeeded(int map, long now) {
    boolean first = missing(map);
    finished.set(map);
    lastProgress = now;
    return first;
  }

  void forget(String attempt) {
    failing.remove(attempt);
  }

  void failed(String attempt, int failuresOfIt, long now) {
    failing.add(attempt);
    failures++;
    if (failuresOfIt >= Math.max(MAX_FAILURES_OF_ONE_MAP, maps / 10)) {
      verdict = failuresOfIt + " failures downloading " + attempt;
    } else if (sick(now)) {
      verdict =
          "Exceeded MAX_FAILED_UNIQUE_FETCHES; bailing-out: "
              + failures
              + " failures, "
              + finished()
              + " of "
              + maps
              + " map outputs fetched, none for "
              + (now - lastProgress)
              + " ms";
    }
  }

  private boolean sick(long now) {
    int done = finished();
    boolean manyFail =
        failing.size() >= Math.min(maps, MAX_FAILING_MAPS) || failing.size() == maps - done;
    boolean mostFail = failures >= done;
    long stalled = now - lastProgress;
    boolean littleDone = done * 2 < maps;
    boolean longStalled = stalled * 2 >= Math.max(lastProgress - start, longestMap);
    return manyFail && mostFail && stalled >= patience && (littleDone || longStalled);
  }

  @Nullable String verdict() {
    return verdict;
  }
}
