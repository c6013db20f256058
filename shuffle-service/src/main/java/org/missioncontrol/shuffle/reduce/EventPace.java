/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

/**
 * How long a reducer waits before it asks the ApplicationMaster again which maps have ended: a
 * {@value #SHARE}th of the time that it has had no news, so that its asking makes no wait longer by
 * more than that part; never less than its part of what all reducers of the job may ask together,
 * never more than stock. Pure: time comes in as milliseconds of any monotonic clock. Owned by the
 * poller.
 */
final class EventPace {
  /** Stock's time between two questions, milliseconds. */
  static final long STOCK_MS = 1000;

  /** No reducer asks more often, however few there are, milliseconds. */
  static final long QUICKEST_MS = 10;

  private static final int SHARE = 32;

  private final long quickestMs;
  private final long slowestMs;
  private long newsMs;

  /**
   * @param quickestMs least time between two questions
   * @param slowestMs most
   */
  EventPace(long quickestMs, long slowestMs, long nowMs) {
    this.quickestMs = Math.min(quickestMs, slowestMs);
    this.slowestMs = slowestMs;
    this.newsMs = nowMs;
  }

  /**
   * The least time between two questions of one reducer.
   *
   * @param mostPerSecond questions a second of all reducers together; 0: as many as stock's
   */
  static long quickest(int reducers, int mostPerSecond) {
    if (mostPerSecond == 0) {
      return STOCK_MS;
    }
    long part = (Math.max(1, reducers) * STOCK_MS + mostPerSecond - 1) / mostPerSecond;
    return Math.max(QUICKEST_MS, Math.min(STOCK_MS, part));
  }

  /** There was an answer that told something. */
  void news(long nowMs) {
    newsMs = nowMs;
  }

  /**
   * Time until the next question.
   *
   * @param allKnown whether every map has succeeded, so that only a lost output would be news
   */
  long pause(boolean allKnown, long nowMs) {
    return allKnown
        ? slowestMs
        : Math.max(quickestMs, Math.min(slowestMs, (nowMs - newsMs) / SHARE));
  }
}
