/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Numbers for the messages of one attempt of an ApplicationMaster: they grow, and those of a later
 * attempt are greater than those of an earlier one whatever the clocks of their hosts say.
 * Thread-safe.
 */
final class SequenceNumbers {
  private static final int ATTEMPT_SHIFT = 53;
  private static final int MILLIS_SHIFT = 10;
  private static final long MAX_ATTEMPT = (1L << (63 - ATTEMPT_SHIFT)) - 1;
  private static final long MAX_MILLIS = (1L << (ATTEMPT_SHIFT - MILLIS_SHIFT)) - 1;

  private final AtomicLong next;

  SequenceNumbers(int attempt, long epochMs) {
    long high = Math.max(0, Math.min(attempt, MAX_ATTEMPT)) << ATTEMPT_SHIFT;
    this.next = new AtomicLong(high | Math.max(0, Math.min(epochMs, MAX_MILLIS)) << MILLIS_SHIFT);
  }

  long next() {
    return next.getAndIncrement();
  }
}
