/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.conf;

import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRConfig;

/**
 * Where a cluster's daemons answer, after a client's yarn-site.xml. Immutable.
 *
 * @param resourceManagers URLs of the web addresses, one, or one for each ResourceManager of a pair
 * @param shufflePort TCP port of each NodeManager's shuffle
 * @param shuffleSsl whether that port speaks HTTPS
 */
public record ClusterConfig(List<String> resourceManagers, int shufflePort, boolean shuffleSsl) {
  private static final String HOSTNAME = "yarn.resourcemanager.hostname";
  private static final String ADDRESS = "yarn.resourcemanager.webapp.address";
  private static final String HTTPS_ADDRESS = "yarn.resourcemanager.webapp.https.address";

  /** Copies the list. */
  public ClusterConfig {
    resourceManagers = List.copyOf(resourceManagers);
  }

  /** Parses a client's configuration. */
  public static ClusterConfig from(Configuration conf) {
    boolean https = conf.getTrimmed("yarn.http.policy", "HTTP_ONLY").equals("HTTPS_ONLY");
    List<String> suffixes =
        conf.getBoolean("yarn.resourcemanager.ha.enabled", false)
            ? Arrays.stream(conf.getTrimmedStrings("yarn.resourcemanager.ha.rm-ids"))
                .map(id -> "." + id)
                .toList()
            : List.of("");
    return new ClusterConfig(
        suffixes.stream().map(suffix -> resourceManager(conf, https, suffix)).toList(),
        Read.integer(conf, StockKeys.PORT, 13562),
        conf.getBoolean(MRConfig.SHUFFLE_SSL_ENABLED_KEY, MRConfig.SHUFFLE_SSL_ENABLED_DEFAULT));
  }

  private static String resourceManager(Configuration conf, boolean https, String suffix) {
    String host =
        conf.getTrimmed(HOSTNAME + suffix, conf.getTrimmed(HOSTNAME, "localhost"))
            .replace("0.0.0.0", "localhost");
    String standard = host + ":" + (https ? 8090 : 8088);
    String address = conf.getTrimmed((https ? HTTPS_ADDRESS : ADDRESS) + suffix, standard);
    return (https ? "https://" : "http://") + address.replace("0.0.0.0", "localhost");
  }
}
