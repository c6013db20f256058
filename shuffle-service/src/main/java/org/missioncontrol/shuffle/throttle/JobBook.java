/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the books know of one job. Owned by {@link ThrottleBooks}. */
final class JobBook {
  private static final float UNANNOUNCED_WEIGHT = 1f;

  private final String job;
  private final Map<Long, SessionBook> sessions = new LinkedHashMap<>();
  private float announcedWeight = UNANNOUNCED_WEIGHT;
  private boolean announced;
  private long announcedUntilNanos;
  private long lastGrant;
  private int held;
  private int waiting;

  JobBook(String job) {
    this.job = job;
  }

  /** One task attempt. Owned by its job. */
  static final class SessionBook {
    private final JobBook job;
    private final long id;
    private final String attempt;
    // Request to its turn, which grows: the first entry has waited longest.
    private final Map<Long, Long> waiting = new LinkedHashMap<>();
    private int held;

    private SessionBook(JobBook job, long id, String attempt) {
      this.job = job;
      this.id = id;
      this.attempt = attempt;
    }

    JobBook job() {
      return job;
    }

    private long oldestTurn() {
      return waiting.values().iterator().next();
    }
  }

  /** Whom a flow goes to. Immutable. */
  record Turn(long session, String attempt, long request) {}

  String job() {
    return job;
  }

  void announce(float weight, long untilNanos) {
    announcedWeight = weight;
    announcedUntilNanos = untilNanos;
    announced = true;
  }

  void withdraw() {
    announced = false;
  }

  void expire(long nowNanos) {
    if (announced && nowNanos - announcedUntilNanos >= 0) {
      announced = false;
    }
  }

  boolean announced() {
    return announced;
  }

  float weight() {
    return announced ? announcedWeight : UNANNOUNCED_WEIGHT;
  }

  boolean forgettable() {
    return !announced && sessions.isEmpty();
  }

  SessionBook open(long session, String attempt) {
    SessionBook book = new SessionBook(this, session, attempt);
    sessions.put(session, book);
    return book;
  }

  Set<Long> sessions() {
    return sessions.keySet();
  }

  int held() {
    return held;
  }

  int waiting() {
    return waiting;
  }

  int demand() {
    return held + waiting;
  }

  long lastGrant() {
    return lastGrant;
  }

  /** False if the session already waits under that number. */
  boolean ask(SessionBook session, long request, long turn) {
    if (session.waiting.putIfAbsent(request, turn) != null) {
      return false;
    }
    waiting++;
    return true;
  }

  boolean unask(SessionBook session, long request) {
    if (session.waiting.remove(request) == null) {
      return false;
    }
    waiting--;
    return true;
  }

  /** Of the sessions that wait, the one that holds fewest, then the one that has waited longest. */
  @Nullable Turn take(long grant) {
    SessionBook next =
        sessions.values().stream()
            .filter(session -> !session.waiting.isEmpty())
            .min(
                Comparator.<SessionBook>comparingInt(session -> session.held)
                    .thenComparingLong(SessionBook::oldestTurn))
            .orElse(null);
    if (next == null) {
      return null;
    }
    long request = next.waiting.keySet().iterator().next();
    next.waiting.remove(request);
    next.held++;
    waiting--;
    held++;
    lastGrant = grant;
    return new Turn(next.id, next.attempt, request);
  }

  /**
   * Whether another session waits that holds nothing, or at least two flows less, so that a flow
   * should move to it.
   */
  boolean owesAnother(long session) {
    SessionBook asking = sessions.get(session);
    return asking != null
        && sessions.values().stream()
            .filter(other -> other != asking && !other.waiting.isEmpty())
            .anyMatch(other -> other.held == 0 || other.held + 2 <= asking.held);
  }

  void renewed(long grant) {
    lastGrant = grant;
  }

  void giveBack(long session) {
    held--;
    SessionBook book = sessions.get(session);
    if (book != null) {
      book.held--;
    }
  }

  void close(SessionBook session) {
    waiting -= session.waiting.size();
    session.waiting.clear();
    sessions.remove(session.id);
  }
}
