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
import java.util.List;

/** Makes each daemon of one cluster: its configuration directory and its JVM. Immutable. */
record Daemons(Layout layout, HadoopConf conf, ClusterHosts hosts) {
  private static final String HDFS = "org.apache.hadoop.hdfs.server.";
  private static final String YARN = "org.apache.hadoop.yarn.server.";

  Daemon formatter() throws IOException {
    return daemon(
        "namenode", conf.shared(), hdfsJars(), nameNode(), "-format", "-nonInteractive", "-force");
  }

  Daemon nameNodeDaemon() throws IOException {
    return daemon("namenode", conf.shared(), hdfsJars(), nameNode());
  }

  Daemon dataNode(int index) throws IOException {
    return daemon("datanode" + index, conf.dataNode(index), hdfsJars(), HDFS + "datanode.DataNode")
        .on(words -> hosts.command(index, words));
  }

  Daemon resourceManager() throws IOException {
    return daemon("rm", conf.shared(), List.of(), YARN + "resourcemanager.ResourceManager");
  }

  Daemon history() throws IOException {
    return daemon(
        "history", conf.shared(), List.of(), "org.apache.hadoop.mapreduce.v2.hs.JobHistoryServer");
  }

  Daemon nodeManager(int index, NodeSpec spec) throws IOException {
    List<Path> ours = new ArrayList<>();
    if (spec.handler() == Handler.OURS_ON_CLASS_PATH) {
      ours.add(layout.paths().missionControl());
    }
    return daemon("nm" + index, conf.node(index, spec), ours, YARN + "nodemanager.NodeManager")
        .on(words -> hosts.command(index, words));
  }

  private Daemon daemon(String name, Site site, List<Path> jars, String... mainAndArguments)
      throws IOException {
    Path directory = layout.daemon(name);
    site.write(directory.resolve("conf"));
    return new Daemon(
        name,
        directory,
        directory.resolve("conf"),
        layout.daemonClassPath(jars),
        List.of(mainAndArguments));
  }

  private List<Path> hdfsJars() {
    return layout.paths().hdfsOnly();
  }

  private static String nameNode() {
    return HDFS + "namenode.NameNode";
  }
}
