/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Describes a cluster; without a word: one stock NodeManager, the local file system, no HDFS. Owned
 * by one thread.
 */
public final class LocalClusterBuilder {
  private final Path work;
  private final List<NodeSpec> nodes = new ArrayList<>();
  private final Map<String, String> settings = new LinkedHashMap<>();
  private ClusterHosts hosts = ClusterHosts.loopback();
  private int dataNodes;
  private boolean temporary;

  LocalClusterBuilder(Path work) {
    this.work = work.toAbsolutePath().normalize();
  }

  /** Adds so many NodeManagers of one kind. */
  public LocalClusterBuilder nodes(int count, NodeSpec spec) {
    nodes.addAll(Collections.nCopies(count, spec));
    return this;
  }

  /** Where NodeManagers and DataNodes run; without a word on loopback. */
  public LocalClusterBuilder on(ClusterHosts where) {
    hosts = where;
    return this;
  }

  /** Adds one NodeManager. */
  public LocalClusterBuilder node(NodeSpec spec) {
    return nodes(1, spec);
  }

  /** Adds HDFS with so many DataNodes as the default file system. */
  public LocalClusterBuilder hdfs(int count) {
    dataNodes = count;
    return this;
  }

  /** An entry of every daemon's and client's configuration, over those of the cluster. */
  public LocalClusterBuilder set(String key, Object value) {
    settings.put(key, value.toString());
    return this;
  }

  /** Removes the work directory when the cluster is closed, also by Ctrl-C. */
  public LocalClusterBuilder temporary() {
    temporary = true;
    return this;
  }

  /** Starts it. */
  public LocalCluster start() throws IOException, InterruptedException {
    List<NodeSpec> specs = nodes.isEmpty() ? List.of(NodeSpec.stock()) : nodes;
    return new LocalCluster(work, hosts, specs, dataNodes, settings, temporary).start();
  }
}
