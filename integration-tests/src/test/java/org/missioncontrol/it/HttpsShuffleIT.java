/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.missioncontrol.bench.cluster.LocalCluster;
import org.missioncontrol.bench.cluster.NodeSpec;
import org.missioncontrol.bench.jobs.SortJob;

/** Stock's mapreduce.shuffle.ssl.enabled, on a node with our handler and one with stock's. */
class HttpsShuffleIT {
  private static final String ENABLED = "mapreduce.shuffle.ssl.enabled";
  private static final String PASSWORD = "changeit";

  private static LocalCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    List<NodeSpec> nodes = List.of(NodeSpec.ours(), NodeSpec.stock());
    cluster =
        LocalCluster.in(Sorts.workDirectory(HttpsShuffleIT.class))
            .node(nodes.get(0))
            .node(nodes.get(1))
            .start();
    Path keys = makeKeys();
    write("nm0/conf/ssl-server.xml", "ssl.server.keystore.", keys);
    write("nm1/conf/ssl-server.xml", "ssl.server.keystore.", keys);
    write("conf/ssl-client.xml", "ssl.client.truststore.", keys);
    for (int node = 0; node < nodes.size(); node++) {
      cluster.stop(node);
      cluster.restart(node, nodes.get(node).with(ENABLED, "true"));
    }
  }

  @AfterAll
  static void end() throws Exception {
    if (cluster != null) {
      Sorts.end(cluster);
    }
  }

  @Test
  void eitherReducerFetchesOverHttpsFromEitherHandler() throws Exception {
    Sorts sorts = new Sorts(cluster);
    SortJob sort = SortJob.of(6, 3, 300_000).with(ENABLED, true);
    Sorts.Running ours = sorts.run(sort.onMissionControl());
    Sorts.Running stock = sorts.run(sort);

    assertThat(sorts.digests(ours)).isEqualTo(sorts.digests(stock));
    assertThat(HostStatus.of(cluster, 0))
        .as("a status over plain HTTP from a port that speaks HTTPS")
        .isEmpty();
  }

  private static Path makeKeys() throws Exception {
    Path keys = cluster.workDirectory().resolve("keys");
    Path log = cluster.workDirectory().resolve("keytool.log");
    String command =
        System.getProperty("java.home")
            + "/bin/keytool -genkeypair -alias node -keyalg EC -dname CN=localhost"
            + " -ext san=dns:localhost,ip:127.0.0.1,ip:127.0.0.2 -storetype JKS"
            + " -storepass changeit -keypass changeit -keystore "
            + keys;
    Process keytool =
        new ProcessBuilder(command.split(" "))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    assertThat(keytool.waitFor()).as(Files.readString(log)).isZero();
    return keys;
  }

  /** On the class path of daemons and tasks, where Hadoop looks for it. */
  private static void write(String file, String prefix, Path keys) throws Exception {
    Configuration ssl = new Configuration(false);
    ssl.set(prefix + "location", keys.toString());
    ssl.set(prefix + "password", PASSWORD);
    ssl.set(prefix + "keypassword", PASSWORD);
    try (var out = Files.newOutputStream(cluster.workDirectory().resolve(file))) {
      ssl.writeXml(out);
    }
  }
}
