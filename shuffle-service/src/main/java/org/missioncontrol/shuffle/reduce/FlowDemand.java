/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How a reducer spreads its flows over hosts. Immutable. */
final class FlowDemand {
  private FlowDemand() {}

  /**
   * How many flows a reducer holds or asks for at once. Immutable.
   *
   * @param reducer most in all, at least 1
   * @param perHost most to one map host, at least 1
   * @param multipath map hosts that one connection reaches over all paths: no more than that one
   */
  record Bounds(int reducer, int perHost, Set<MapServer> multipath) {
    /** As long as no connection is known to take all paths. */
    Bounds(int reducer, int perHost) {
      this(reducer, perHost, Set.of());
    }

    /** Copies the set. */
    Bounds {
      multipath = Set.copyOf(multipath);
    }

    Bounds with(Set<MapServer> overAllPaths) {
      return new Bounds(reducer, perHost, overAllPaths);
    }

    int of(MapServer host) {
      return multipath.contains(host) ? 1 : perHost;
    }
  }

  /**
   * Adds flows one by one to the host where most outputs wait for each flow, hosts without a flow
   * first, within the bounds and until no output is without a flow. Requests not yet granted are
   * left where they are, unless a host with work has neither flow nor request.
   *
   * @param ready outputs that may be asked for now, by host, each positive
   * @param active flows held, by host
   * @param requested flows asked for, by host
   * @return flows to hold or ask for, for the hosts in {@code ready}; a host that is absent needs
   *     none beyond those it holds
   */
  static Map<MapServer, Integer> spread(
      Map<MapServer, Integer> ready,
      Map<MapServer, Integer> active,
      Map<MapServer, Integer> requested,
      Bounds bounds) {
    boolean starving =
        ready.keySet().stream()
            .anyMatch(host -> !active.containsKey(host) && !requested.containsKey(host));
    Map<MapServer, Integer> wanted = new LinkedHashMap<>();
    int free = bounds.reducer();
    for (int flows : active.values()) {
      free -= flows;
    }
    for (Map.Entry<MapServer, Integer> host : ready.entrySet()) {
      int asked = starving ? 0 : requested.getOrDefault(host.getKey(), 0);
      int held = active.getOrDefault(host.getKey(), 0);
      int room = Math.min(free, Math.min(host.getValue(), bounds.of(host.getKey()) - held));
      int kept = Math.max(0, Math.min(asked, room));
      wanted.put(host.getKey(), held + kept);
      free -= kept;
    }
    for (; free > 0; free--) {
      MapServer neediest = neediest(ready, active, wanted, bounds);
      if (neediest == null) {
        break;
      }
      wanted.merge(neediest, 1, Integer::sum);
    }
    return wanted;
  }

  private static @Nullable MapServer neediest(
      Map<MapServer, Integer> ready,
      Map<MapServer, Integer> active,
      Map<MapServer, Integer> wanted,
      Bounds bounds) {
    MapServer best = null;
    double bestLoad = 0;
    for (Map.Entry<MapServer, Integer> host : ready.entrySet()) {
      int flows = wanted.getOrDefault(host.getKey(), 0);
      boolean served =
          flows >= bounds.of(host.getKey())
              || flows - active.getOrDefault(host.getKey(), 0) >= host.getValue();
      double load = flows == 0 ? Double.MAX_VALUE : (double) host.getValue() / (flows + 1);
      if (!served && load > bestLoad) {
        best = host.getKey();
        bestLoad = load;
      }
    }
    return best;
  }
}
