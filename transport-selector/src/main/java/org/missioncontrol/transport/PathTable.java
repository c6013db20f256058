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
 * Remembers what live sockets tell of the paths to other hosts, the hosts that were looked at last;
 * reads no clock and no socket. Thread-safe.
 */
public final class PathTable {
  private final int most;
  private final Map<String, PathFacts> paths = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * @param most hosts that are remembered
   */
  public PathTable(int most) {
    this.most = most;
  }

  /**
   * Takes what a connection tells.
   *
   * @param before what the same connection told the last time; null the first time
   */
  public synchronized void learn(String host, @Nullable SocketFacts before, SocketFacts now) {
    PathFacts known = paths.getOrDefault(host, PathFacts.unknown(host));
    paths.put(
        host,
        new PathFacts(
            host,
            known.connections() + (before == null ? 1 : 0),
            now.ecn() || known.ecn(),
            known.marks() + now.marks() - (before == null ? 0 : before.marks()),
            known.retransmits() + now.retransmits() - (before == null ? 0 : before.retransmits()),
            now.rttMicros() > 0 ? now.rttMicros() : known.rttMicros(),
            known.paths()));
    if (paths.size() > most) {
      paths.remove(paths.keySet().iterator().next());
    }
  }

  /** A connection asked for ECN and did not get it: what was seen before no longer holds. */
  public synchronized void ecnRefused(String host) {
    paths.computeIfPresent(
        host,
        (same, known) ->
            new PathFacts(
                host,
                known.connections(),
                false,
                0,
                known.retransmits(),
                known.rttMicros(),
                known.paths()));
  }

  /** A Multipath TCP connection has used so many paths; 0: the other end has no such thing. */
  public synchronized void multipath(String host, int subflows) {
    paths.computeIfPresent(
        host,
        (same, known) ->
            new PathFacts(
                host,
                known.connections(),
                known.ecn(),
                known.marks(),
                known.retransmits(),
                known.rttMicros(),
                Math.max(1, subflows)));
  }

  /** Null where nothing is known of a host. */
  public synchronized @Nullable PathFacts of(String host) {
    return paths.get(host);
  }

  /** Every host, the one first that was looked at longest ago. */
  public synchronized List<PathFacts> all() {
    return List.copyOf(paths.values());
  }
}
