/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.util.LinkedHashMap;
import java.util.Map;

/** How a reducer spreads its flows over hosts. Immutable. */
final class FlowDemand {
  private FlowDemand() {}

  /**
   * Adds flows one by one to the host where most outputs wait for each flow, hosts without a flow
   * first, until {@code most} are held over all hosts or no host has an output without a flow.
   *
   * @param ready outputs that may be asked for now, by host, each positive
   * @param held flows held or asked for, by host
   * @return flows to have, for the hosts in {@code ready}
   */
  static Map<MapServer, Integer> spread(
      Map<MapServer, Integer> ready, Map<MapServer, Integer> held, int most) {
    Map<MapServer, Integer> wanted = new LinkedHashMap<>();
    int free = most;
    for (Map.Entry<MapServer, Integer> host : held.entrySet()) {
      free -= host.getValue();
    }
    ready.forEach((host, outputs) -> wanted.put(host, held.getOrDefault(host, 0)));
    for (; free > 0; free--) {
      MapServer best = null;
      double bestLoad = 0;
      for (Map.Entry<MapServer, Integer> host : ready.entrySet()) {
        int flows = wanted.getOrDefault(host.getKey(), 0);
        double load = flows == 0 ? Double.MAX_VALUE : (double) host.getValue() / (flows + 1);
        if (flows - held.getOrDefault(host.getKey(), 0) < host.getValue() && load > bestLoad) {
          best = host.getKey();
          bestLoad = load;
        }
      }
      if (best == null) {
        break;
      }
      wanted.merge(best, 1, Integer::sum);
    }
    return wanted;
  }
}
