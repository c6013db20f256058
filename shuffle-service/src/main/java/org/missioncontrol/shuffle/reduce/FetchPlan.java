/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is to be fetched from where, what is under way, which host waits out a penalty, what the
 * ApplicationMaster must hear. Pure: time comes in as milliseconds of any monotonic clock. Owned by
 * the reduce thread.
 *
 * <p>A map output is pending at its host, or in flight (taken), or finished. Each {@code take} is
 * answered for each of its maps by exactly one of {@link #succeeded}, {@link #refused}, {@link
 * #unreadable}, {@link #lost}, {@link #suspect} or {@link #giveBack}.
 */
final class FetchPlan {
  /** Time after which an output that is for another to fetch is asked about again. */
  static final long CLAIM_INTERVAL = 100;

  private final RetryPolicy policy;
  private final int reducer;
  private final ReducerHealth health;
  private final Map<MapServer, HostQueue> hosts = new LinkedHashMap<>();
  private final Map<String, PendingMap> inFlight = new HashMap<>();
  private final BitSet mapsInFlight = new BitSet();
  private final Set<String> obsolete = new HashSet<>();
  private final Set<MapServer> everSeen = new HashSet<>();
  private final Set<MapServer> preferred = new HashSet<>();
  private final List<MapAttempt> reports = new ArrayList<>();
  private Predicate<MapServer> apart = anyone -> false;
  private int penalties;

  /**
   * @param maps map tasks of the job
   * @param reducer number of this reducer; reducers begin at different hosts
   */
  FetchPlan(RetryPolicy policy, int maps, int reducer, long now) {
    this.policy = policy;
    this.reducer = reducer;
    this.health = new ReducerHealth(maps, policy.patience(), now);
  }

  /** This host's outputs are asked for before those of hosts that are not preferred. */
  void prefer(MapServer server) {
    preferred.add(server);
  }

  /** No flow is wanted to these servers: their outputs are taken in another way. */
  void keepApart(Predicate<MapServer> servers) {
    apart = servers;
  }

  /** An attempt has succeeded and its output lies at {@code server}. */
  void known(MapServer server, MapAttempt attempt, long now) {
    everSeen.add(server);
    queue(server).add(new PendingMap(attempt), now);
  }

  /** The output of an attempt is not to be fetched any more. */
  void obsolete(MapAttempt attempt) {
    obsolete.add(attempt.id());
    health.forget(attempt.id());
    hosts.values().forEach(host -> host.forget(attempt::equals));
  }

  /** The map task failed for good and its output is not needed. */
  void tipFailed(int map) {
    health.finished(map);
  }

  /** A map ran so long, milliseconds. */
  void mapRanFor(int milliseconds) {
    health.mapRanFor(milliseconds);
  }

  /** Forgets all that completion events told; they will be told again. */
  void reset() {
    hosts.values().forEach(host -> host.forget(attempt -> true));
    obsolete.clear();
  }

  /** Flows to hold or ask for at each host with work, see {@link FlowDemand#spread}. */
  Map<MapServer, Integer> demand(
      Map<MapServer, Integer> active,
      Map<MapServer, Integer> requested,
      FlowDemand.Bounds bounds,
      long now) {
    return FlowDemand.spread(readyByHost(now), active, requested, bounds);
  }

  /** Whether this host can be asked for something now. */
  boolean hasWork(MapServer server, long now) {
    return queue(server).ready(now) > 0;
  }

  private Map<MapServer, Integer> readyByHost(long now) {
    List<MapServer> order = new ArrayList<>(hosts.keySet());
    if (!order.isEmpty()) {
      Collections.rotate(order, -(reducer % order.size()));
    }
    order.sort(Comparator.comparing(server -> !preferred.contains(server)));
    Map<MapServer, Integer> ready = new LinkedHashMap<>();
    for (MapServer server : order) {
      int waiting = queue(server).ready(now);
      if (waiting > 0 && !apart.test(server)) {
        ready.put(server, waiting);
      }
    }
    return ready;
  }

  /**
   * Takes the next batch for a flow.
   *
   * @param flows flows that share the host's work, at least 1
   * @param most limit of the batch
   * @return empty when there is nothing to ask this host now
   */
  List<MapAttempt> take(MapServer server, int flows, int most, long now) {
    return take(server, flows, most, anyone -> true, now);
  }

  /**
   * The same.
   *
   * @param mayFetch whether an output is for this reducer to fetch now; the others are asked about
   *     again after {@value #CLAIM_INTERVAL} ms
   */
  List<MapAttempt> take(
      MapServer server, int flows, int most, Predicate<MapAttempt> mayFetch, long now) {
    HostQueue host = queue(server);
    int share = (host.ready(now) + flows - 1) / Math.max(1, flows);
    List<MapAttempt> batch = new ArrayList<>();
    while (batch.isEmpty()) {
      List<PendingMap> taken = host.take(Math.min(most, share), this::needed, now);
      if (taken.isEmpty()) {
        break;
      }
      for (PendingMap map : taken) {
        if (mapsInFlight.get(map.attempt.map())) {
          later(host, map, RetryPolicy.REPORT_INTERVAL, now);
        } else if (!mayFetch.test(map.attempt)) {
          later(host, map, CLAIM_INTERVAL, now);
        } else {
          take(map);
          batch.add(map.attempt);
        }
      }
    }
    return batch;
  }

  private static void later(HostQueue host, PendingMap map, long delay, long now) {
    map.notBefore = now + delay;
    host.add(map, now);
  }

  private void take(PendingMap map) {
    mapsInFlight.set(map.attempt.map());
    inFlight.put(map.attempt.id(), map);
  }

  /** An output and where it lies. Immutable. */
  record Located(MapServer server, MapAttempt attempt) {}

  /**
   * Takes outputs that this host has a copy of, wherever they wait and whatever for; answered as
   * {@code take} is, or by {@link #copied}.
   */
  List<Located> takeCopied(Set<String> copies, int most) {
    List<Located> taken = new ArrayList<>();
    if (copies.isEmpty()) {
      return taken;
    }
    for (Map.Entry<MapServer, HostQueue> host : hosts.entrySet()) {
      for (PendingMap map : host.getValue().all()) {
        boolean free = !mapsInFlight.get(map.attempt.map()) && needed(map.attempt);
        if (taken.size() < most && free && copies.contains(map.attempt.id())) {
          host.getValue().forget(map.attempt::equals);
          take(map);
          taken.add(new Located(host.getKey(), map.attempt));
        }
      }
    }
    return taken;
  }

  /** The output was read from a copy; false when another attempt's was first. */
  boolean copied(MapAttempt attempt, long now) {
    land(attempt);
    health.forget(attempt.id());
    return health.succeeded(attempt.map(), now);
  }

  private boolean needed(MapAttempt attempt) {
    return !obsolete.contains(attempt.id()) && health.missing(attempt.map());
  }

  /** The output has arrived whole; false when another attempt's was first, then throw it away. */
  boolean succeeded(MapServer server, MapAttempt attempt, long now) {
    land(attempt);
    queue(server).succeeded();
    health.forget(attempt.id());
    return health.succeeded(attempt.map(), now);
  }

  /** The server itself says that it cannot send this output: reported each time. */
  void refused(MapServer server, MapAttempt attempt, long now) {
    PendingMap map = land(attempt);
    queue(server).succeeded();
    fail(map, true, now);
    map.notBefore = now + policy.afterReport(map.failures);
    putBack(server, map, now);
  }

  /** The output arrived and is bad. */
  void unreadable(MapServer server, MapAttempt attempt, long now) {
    PendingMap map = land(attempt);
    fail(map, policy.notifyReadError(), now);
    map.notBefore = now + policy.penalty(map.failures);
    putBack(server, map, now);
  }

  /** The connection broke or stalled in the middle of this output. */
  void lost(MapServer server, MapAttempt attempt, long now) {
    PendingMap map = land(attempt);
    if (!policy.recovery() || map.failingFor(now) >= policy.recoveryTimeout()) {
      fail(map, policy.notifyReadError(), now);
    }
    map.notBefore =
        now
            + (policy.recovery() && map.failures == 0
                ? Math.min(policy.penalty(1), policy.recoveryInterval())
                : policy.penalty(Math.max(1, map.failures)));
    putBack(server, map, now);
  }

  /** A request failed as a whole and nobody knows for which output: each is asked for alone. */
  void suspect(MapServer server, List<MapAttempt> attempts, long now) {
    for (MapAttempt attempt : attempts) {
      PendingMap map = land(attempt);
      map.suspect = true;
      putBack(server, map, now);
    }
  }

  /** Not fetched, and nobody's fault. */
  void giveBack(MapServer server, List<MapAttempt> attempts, long now) {
    attempts.forEach(attempt -> putBack(server, land(attempt), now));
  }

  /**
   * The host cannot be reached or does not answer as a map output server: it waits out a penalty,
   * and when it has been so for too long all its outputs are reported.
   */
  void hostFailed(MapServer server, long now) {
    HostQueue host = queue(server);
    if (!host.failed(now)) {
      return;
    }
    penalties++;
    if (host.gone(now)) {
      host.all().stream().filter(map -> needed(map.attempt)).forEach(map -> fail(map, true, now));
    }
  }

  /** The host asks to be left alone for a while; or memory is short. No failure. */
  void pause(MapServer server, long milliseconds, long now) {
    queue(server).block(now + milliseconds);
  }

  private void fail(PendingMap map, boolean report, long now) {
    map.failures++;
    health.failed(map.attempt.id(), map.failures, now);
    if (report || map.failures % policy.mapFailures() == 0) {
      reports.add(map.attempt);
    }
  }

  private PendingMap land(MapAttempt attempt) {
    PendingMap map = inFlight.remove(attempt.id());
    if (map == null) {
      throw new IllegalStateException(attempt + " is not being fetched");
    }
    mapsInFlight.clear(attempt.map());
    return map;
  }

  private void putBack(MapServer server, PendingMap map, long now) {
    if (needed(map.attempt)) {
      queue(server).add(map, now);
    }
  }

  private HostQueue queue(MapServer server) {
    return hosts.computeIfAbsent(server, key -> new HostQueue(policy));
  }

  /** Takes the attempts to tell the ApplicationMaster of; one may be there more than once. */
  List<MapAttempt> takeReports() {
    List<MapAttempt> taken = List.copyOf(reports);
    reports.clear();
    return taken;
  }

  /** Why the reducer should give up; null while there is hope. */
  @Nullable String hopeless() {
    return health.verdict();
  }

  /** Whether every map output is here or not needed. */
  boolean done() {
    return health.missing() == 0;
  }

  int finishedMaps() {
    return health.finished();
  }

  int failures() {
    return health.failures();
  }

  int penalties() {
    return penalties;
  }

  int hosts() {
    return everSeen.size();
  }

  /** When the demand may change by itself, or {@link Long#MAX_VALUE}. */
  long nextChange(long now) {
    return hosts.values().stream()
        .mapToLong(host -> host.nextChange(now))
        .min()
        .orElse(HostQueue.NEVER);
  }
}
