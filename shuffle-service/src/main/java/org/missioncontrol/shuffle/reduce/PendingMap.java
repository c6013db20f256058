/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

/** What is known of one map output that is still to be fetched. Owned by {@link FetchPlan}. */
final class PendingMap {
  private static final long NEVER = -1;

  final MapAttempt attempt;

  /** Failures that count against it. */
  int failures;

  /** Asked for alone, because a request that held it failed as a whole. */
  boolean suspect;

  /** Not to be asked for before, milliseconds. */
  long notBefore;

  private long failingSince = NEVER;

  PendingMap(MapAttempt attempt) {
    this.attempt = attempt;
  }

  /** How long its connection has been breaking, from the first time on. */
  long failingFor(long now) {
    if (failingSince == NEVER) {
      failingSince = now;
    }
    return now - failingSince;
  }
}
