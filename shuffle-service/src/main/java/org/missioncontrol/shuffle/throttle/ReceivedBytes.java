/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * Bytes that each job has received on its leased flows: of connections that came back, and of those
 * that are out, as the kernel counts them. Never falls while a job is known. Thread-safe; holds its
 * lock for one system call per connection.
 */
final class ReceivedBytes {
  private final ToLongFunction<LeasedConnection> kernel;
  private final Predicate<String> known;
  private final Map<LeasedConnection, Long> out = new HashMap<>();
  private final Map<String, Long> back = new HashMap<>();

  /**
   * @param kernel payload bytes received on a connection so far, negative if it cannot tell
   * @param known whether a job may still shuffle; the others are forgotten
   */
  ReceivedBytes(ToLongFunction<LeasedConnection> kernel, Predicate<String> known) {
    this.kernel = kernel;
    this.known = known;
  }

  /** A connection is lent. */
  synchronized void lent(LeasedConnection connection) {
    out.put(connection, 0L);
  }

  /** A connection comes back and is about to be closed; one that was never lent is fine. */
  synchronized void returned(LeasedConnection connection) {
    if (out.containsKey(connection)) {
      back.merge(connection.lease().job(), now(connection), Long::sum);
      out.remove(connection);
    }
  }

  /** Bytes of a connection that is lent. */
  synchronized long of(LeasedConnection connection) {
    return out.containsKey(connection) ? now(connection) : 0;
  }

  /** Bytes by job. */
  synchronized Map<String, Long> byJob() {
    back.keySet().removeIf(known.negate());
    Map<String, Long> bytes = new TreeMap<>(back);
    out.keySet()
        .forEach(connection -> bytes.merge(connection.lease().job(), now(connection), Long::sum));
    return bytes;
  }

  /** The last number counts where the kernel gives none any more. */
  private long now(LeasedConnection connection) {
    return out.merge(connection, kernel.applyAsLong(connection), Math::max);
  }
}
