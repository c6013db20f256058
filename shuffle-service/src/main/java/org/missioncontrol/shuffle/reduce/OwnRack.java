/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.yarn.util.RackResolver;

/**
 * Which map hosts stand in the reducer's own rack, by the cluster's topology (Hadoop's {@link
 * RackResolver}). A topology script may take its time, so this is for the poller's thread, which
 * owns it.
 */
final class OwnRack {
  private final Configuration conf;
  private final String host;
  private final Set<String> known = new HashSet<>();

  /**
   * @param host name of this host as YARN knows it, the task's environment variable NM_HOST
   */
  OwnRack(Configuration conf, String host) {
    this.conf = conf;
    this.host = host;
  }

  /** Those of {@code servers} in this rack that were not named before. Asks for all at once. */
  List<MapServer> newIn(Collection<MapServer> servers) {
    List<MapServer> unknown =
        servers.stream().filter(server -> known.add(server.host())).distinct().toList();
    if (unknown.isEmpty()) {
      return List.of();
    }
    String own = RackResolver.resolve(conf, host).getNetworkLocation();
    List<Node> racks = RackResolver.resolve(conf, unknown.stream().map(MapServer::host).toList());
    return IntStream.range(0, racks.size())
        .filter(i -> own.equals(racks.get(i).getNetworkLocation()))
        .mapToObj(unknown::get)
        .toList();
  }
}
