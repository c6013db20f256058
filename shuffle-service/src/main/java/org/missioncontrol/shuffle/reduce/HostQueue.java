/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Predicate;

/** The map outputs to fetch from one host and its penalty. Owned by {@link FetchPlan}. */
final class HostQueue {
  /** No change to come by itself. */
  static final long NEVER = Long.MAX_VALUE;

  private final Deque<PendingMap> ready = new ArrayDeque<>();
  private final PriorityQueue<PendingMap> delayed =
      new PriorityQueue<>(Comparator.comparingLong((PendingMap map) -> map.notBefore));
  private final RetryPolicy policy;
  private long blockedUntil;
  private int failures;
  private int reports;
  private long failingSince;

  HostQueue(RetryPolicy policy) {
    this.policy = policy;
  }

  void add(PendingMap map, long now) {
    if (map.notBefore > now) {
      delayed.add(map);
    } else {
      ready.addLast(map);
    }
  }

  /** How many map outputs may be asked for now. */
  int ready(long now) {
    if (now < blockedUntil) {
      return 0;
    }
    for (PendingMap map = delayed.peek();
        map != null && map.notBefore <= now;
        map = delayed.peek()) {
      ready.addLast(delayed.remove());
    }
    return ready.size();
  }

  /** Takes up to {@code most} map outputs that are {@code wanted}; forgets the others it meets. */
  List<PendingMap> take(int most, Predicate<MapAttempt> wanted, long now) {
    List<PendingMap> taken = new ArrayList<>();
    for (int left = ready(now); left > 0 && taken.size() < most; left--) {
      PendingMap map = ready.removeFirst();
      if (!wanted.test(map.attempt)) {
        continue;
      }
      if (map.suspect && !taken.isEmpty()) {
        ready.addFirst(map);
        break;
      }
      taken.add(map);
      if (map.suspect) {
        break;
      }
    }
    return taken;
  }

  void forget(Predicate<MapAttempt> which) {
    ready.removeIf(map -> which.test(map.attempt));
    delayed.removeIf(map -> which.test(map.attempt));
  }

  /** Everything queued, delayed or not. */
  List<PendingMap> all() {
    List<PendingMap> all = new ArrayList<>(ready);
    all.addAll(delayed);
    return all;
  }

  void succeeded() {
    failures = 0;
    reports = 0;
  }

  /**
   * Counts a failure of the host and blocks it for a while. Flows that fail together count once.
   *
   * @return whether it counted
   */
  boolean failed(long now) {
    if (now < blockedUntil) {
      return false;
    }
    if (failures++ == 0) {
      failingSince = now;
    }
    long delay = policy.penalty(failures);
    if (gone(now)) {
      delay = policy.afterReport(++reports);
    } else if (policy.recovery()) {
      delay = Math.min(delay, policy.recoveryInterval());
    }
    blockedUntil = now + delay;
    return true;
  }

  /** Whether it failed so often, or for so long, that its map outputs are to be reported. */
  boolean gone(long now) {
    return failures > 0 && policy.gone(failures, now - failingSince);
  }

  void block(long until) {
    blockedUntil = Math.max(blockedUntil, until);
  }

  /** When something that may not be asked for now may be. */
  long nextChange(long now) {
    if (ready.isEmpty() && delayed.isEmpty()) {
      return NEVER;
    }
    if (now < blockedUntil) {
      return blockedUntil;
    }
    PendingMap first = delayed.peek();
    return first == null ? NEVER : first.notBefore;
  }
}
