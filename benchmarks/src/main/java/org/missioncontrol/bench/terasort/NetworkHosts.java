/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.terasort;

import java.util.List;
import org.missioncontrol.bench.cluster.ClusterHosts;
import org.missioncontrol.bench.net.Network;

/** The hosts of a network: a NodeManager and a DataNode on each. Immutable as the network is. */
record NetworkHosts(Network network) implements ClusterHosts {
  @Override
  public String master() {
    return network.address();
  }

  @Override
  public String node(int index) {
    return network.hosts().get(index).address();
  }

  @Override
  public String dataNode(int index) {
    return node(index);
  }

  @Override
  public List<String> command(int index, List<String> words) {
    return network.hosts().get(index).command(words);
  }
}
