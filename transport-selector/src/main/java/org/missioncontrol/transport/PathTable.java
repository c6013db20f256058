/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what live sockets tell of the paths to other hosts, the hosts that were looked at last.
 * That a path marks and how many paths there are holds for a while only, since networks change.
 * Reads no clock and no socket: {@code nanos} is the time now, as of {@link System#nanoTime}.
 * Thread-safe.
 */
public final class PathTable {
  private final int most;
  private final long keepNanos;
  private final Map<String, Known> paths = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * @param most hosts that are remembered
   * @param keepNanos that marks and numbers of paths hold after they were seen, nanoseconds
   */
  public PathTable(int most, long keepNanos) {
    this.most = most;
    this.keepNanos = keepNanos;
  }

  /** Of one host. Guarded by the table. */
  private static final class Known {
    private long connections;
    private boolean ecn;
    private long marks;
    private long retransmits;
    private int rttMicros;
    private int paths;
    private long pathsSeen;
    private boolean marked;
    private long markSeen;
    private boolean refused;
    private long refusalSeen;
  }

  /**
   * Takes what a connection tells.
   *
   * @param before what the same connection told the last time; null the first time
   */
  public synchronized void learn(
      String host, @Nullable SocketFacts before, SocketFacts now, long nanos) {
    Known known = paths.computeIfAbsent(host, added -> new Known());
    if (before == null) {
      known.connections++;
    }
    known.ecn |= now.ecn();
    // Fewer than before when a path of several has ended.
    long marks = Math.max(0, now.marks() - (before == null ? 0 : before.marks()));
    known.marks += marks;
    if (marks > 0) {
      known.marked = true;
      known.markSeen = nanos;
    }
    known.retransmits +=
        Math.max(0, now.retransmits() - (before == null ? 0 : before.retransmits()));
    if (now.rttMicros() > 0) {
      known.rttMicros = now.rttMicros();
    }
    if (paths.size() > most) {
      paths.remove(paths.keySet().iterator().next());
    }
  }

  /**
   * A connection asked for ECN as DCTCP does and did not get it: what was seen before no longer
   * holds, and what others show who ask as RFC 3168 says does not count for a while.
   */
  public synchronized void ecnRefused(String host, long nanos) {
    Known known = paths.get(host);
    if (known != null) {
      known.ecn = false;
      known.marks = 0;
      known.marked = false;
      known.refused = true;
      known.refusalSeen = nanos;
    }
  }

  /** A Multipath TCP connection has used so many paths; 0: the other end has no such thing. */
  public synchronized void multipath(String host, int subflows, long nanos) {
    Known known = paths.get(host);
    if (known != null) {
      known.paths = Math.max(1, subflows);
      known.pathsSeen = nanos;
    }
  }

  /** Null where nothing is known of a host. */
  public synchronized @Nullable PathFacts of(String host, long nanos) {
    Known known = paths.get(host);
    return known == null ? null : facts(host, known, nanos);
  }

  /** So many hosts at most, those that were looked at last, the latest at the end. */
  public synchronized List<PathFacts> latest(int hosts, long nanos) {
    return paths.entrySet().stream()
        .skip(Math.max(0, paths.size() - hosts))
        .map(entry -> facts(entry.getKey(), entry.getValue(), nanos))
        .toList();
  }

  private PathFacts facts(String host, Known known, long nanos) {
    boolean marked = known.ecn && known.marked && nanos - known.markSeen < keepNanos;
    boolean refused = known.refused && nanos - known.refusalSeen < keepNanos;
    return new PathFacts(
        host,
        known.connections,
        known.ecn,
        known.marks,
        marked && !refused,
        known.retransmits,
        known.rttMicros,
        nanos - known.pathsSeen < keepNanos ? known.paths : 0);
  }
}
