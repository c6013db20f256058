/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import java.util.function.LongSupplier;

/** How often a thing that strangers can cause may be logged. Thread-safe. */
final class WarningBudget {
  /** Not to be logged now. */
  static final long SPENT = -1;

  private final int most;
  private final long periodNanos;
  private final LongSupplier nanoClock;
  private long periodBegan;
  private int said;
  private long unsaid;

  /**
   * @param most warnings in a period
   * @param nanoClock as {@link System#nanoTime}
   */
  WarningBudget(int most, long periodNanos, LongSupplier nanoClock) {
    this.most = most;
    this.periodNanos = periodNanos;
    this.nanoClock = nanoClock;
    this.periodBegan = nanoClock.getAsLong();
  }

  /** How many were not logged since the last that was, if this one may be; else {@link #SPENT}. */
  synchronized long spend() {
    long now = nanoClock.getAsLong();
    if (now - periodBegan >= periodNanos) {
      periodBegan = now;
      said = 0;
    }
    if (said == most) {
      unsaid++;
      return SPENT;
    }
    said++;
    long before = unsaid;
    unsaid = 0;
    return before;
  }
}
