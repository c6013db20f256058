/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Where each daemon of one cluster listens. Immutable.
 *
 * @param master address of the host of all but NodeManagers and DataNodes
 * @param nodes NodeManagers
 * @param dataNodes empty: no HDFS
 */
record Addresses(
    String master,
    String resourceManager,
    String scheduler,
    String tracker,
    String admin,
    String resourceManagerWeb,
    String history,
    String historyWeb,
    String historyAdmin,
    String nameNode,
    String nameNodeWeb,
    List<Node> nodes,
    List<Storage> dataNodes) {

  /** One NodeManager. Immutable. */
  record Node(String host, int port, int localizerPort, int webPort, int shufflePort) {}

  /** One DataNode. Immutable. */
  record Storage(String host, int port, int webPort, int ipcPort) {}

  static Addresses choose(Ports ports, ClusterHosts hosts, int nodeCount, int dataNodeCount)
      throws IOException {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < nodeCount; i++) {
      nodes.add(new Node(hosts.node(i), ports.next(), ports.next(), ports.next(), ports.next()));
    }
    List<Storage> storages = new ArrayList<>();
    for (int i = 0; i < dataNodeCount; i++) {
      storages.add(new Storage(hosts.dataNode(i), ports.next(), ports.next(), ports.next()));
    }
    return new Addresses(
        hosts.master(),
        local(ports, hosts.master()),
        local(ports, hosts.master()),
        local(ports, hosts.master()),
        local(ports, hosts.master()),
        local(ports, hosts.master()),
        local(ports, hosts.master()),
        local(ports, hosts.master()),
        local(ports, hosts.master()),
        local(ports, hosts.master()),
        local(ports, hosts.master()),
        List.copyOf(nodes),
        List.copyOf(storages));
  }

  private static String local(Ports ports, String master) throws IOException {
    return master + ":" + ports.next();
  }

  boolean hasHdfs() {
    return !dataNodes.isEmpty();
  }

  String defaultFs() {
    return hasHdfs() ? "hdfs://" + nameNode : "file://";
  }
}
