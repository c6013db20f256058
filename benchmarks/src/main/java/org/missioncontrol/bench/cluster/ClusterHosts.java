/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.cluster;

import java.util.List;

/** On which hosts the daemons of a cluster run. Immutable. */
public interface ClusterHosts {
  /** Address of ResourceManager, NameNode and job history server, which run where this JVM does. */
  String master();

  /** Address of a NodeManager's host. */
  String node(int index);

  /** Address of a DataNode's host. */
  String dataNode(int index);

  /**
   * The words that run a command on the host with that number of NodeManagers or DataNodes; the
   * process started is the command itself.
   */
  List<String> command(int index, List<String> words);

  /** All on this machine's loopback; NodeManager i has the host name 127.0.0.(i+1). */
  static ClusterHosts loopback() {
    return new Loopback();
  }

  /** See {@link #loopback}. Immutable. */
  record Loopback() implements ClusterHosts {
    private static final String LOCAL = "127.0.0.1";

    @Override
    public String master() {
      return LOCAL;
    }

    @Override
    public String node(int index) {
      return "127.0.0." + (index + 1);
    }

    @Override
    public String dataNode(int index) {
      return LOCAL;
    }

    @Override
    public List<String> command(int index, List<String> words) {
      return words;
    }
  }
}
