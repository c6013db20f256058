/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.transports;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One transport's shuffle. Immutable.
 *
 * @param client ends of its connections at the reducers
 * @param server ends at the map outputs, which send
 * @param bytesPerSecond of map outputs
 * @param queueBytes 95th percentile of what waited at the bottleneck
 */
record Measured(
    Sockets client, Sockets server, boolean tls, double bytesPerSecond, double queueBytes) {
  private static final double MEGA = 1e6;
  private static final double THOUSAND = 1e3;

  /** As JSON. */
  Map<String, Object> tree(double tcpBytesPerSecond) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("client_cc", client.congestionControl());
    tree.put("server_cc", server.congestionControl());
    tree.put("ecn_negotiated", client.allEcn() && server.allEcn());
    tree.put("ce_marks", server.ceMarks());
    tree.put("subflows", subflows());
    tree.put("tls", tls);
    tree.put("mb_s", rounded(bytesPerSecond / MEGA));
    tree.put("ratio_to_tcp", rounded(bytesPerSecond / tcpBytesPerSecond));
    tree.put("queue_bytes_p95", queueBytes);
    return tree;
  }

  /** Of one connection, as both kernels tell it; 1 for plain TCP. */
  int subflows() {
    return Math.max(1, Math.min(client.subflows(), server.subflows()));
  }

  private static double rounded(double value) {
    return Math.round(value * THOUSAND) / THOUSAND;
  }
}
