/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.conf;

import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.missioncontrol.conf.Keys.Sharing;
import org.missioncontrol.conf.Keys.Throttle;

/**
 * The NodeManager's throttle controller. Immutable.
 *
 * @param flowsPerHost budget of fetch flows that may be open on this host at once, at least 1
 * @param leaseMaxMs longest life of one lease in milliseconds, at least 1000; then its connection
 *     is cut
 * @param transferExpiryMs how long an announced transfer counts without being announced again,
 *     milliseconds
 * @param sharesBytes whether jobs' bytes, and not only their flows, are to stand in the ratio of
 *     their weights
 * @param doorEnabled whether the Unix domain socket is opened at all
 * @param doorDirectory where its socket lies; empty: below the first NodeManager local directory
 *     that will do
 * @param localDirs paths of the NodeManager's local directories, which may be given as file URIs,
 *     where tasks look for the door
 */
public record ThrottleConfig(
    int flowsPerHost,
    long leaseMaxMs,
    long transferExpiryMs,
    boolean sharesBytes,
    boolean doorEnabled,
    String doorDirectory,
    List<String> localDirs) {
  /** Refuses numbers out of range, naming the key. */
  public ThrottleConfig {
    Checks.atLeast(Throttle.FLOWS_PER_HOST_KEY, 1, flowsPerHost);
    Checks.atLeast(Throttle.LEASE_MAX_MS_KEY, 1000L, leaseMaxMs);
    Checks.atLeast(Throttle.TRANSFER_EXPIRY_MS_KEY, 1000L, transferExpiryMs);
    localDirs = List.copyOf(localDirs);
  }

  /** Parses the NodeManager's configuration. */
  public static ThrottleConfig from(Configuration conf) {
    return new ThrottleConfig(
        Read.integer(conf, Throttle.FLOWS_PER_HOST_KEY, Throttle.FLOWS_PER_HOST_DEFAULT),
        Read.number(conf, Throttle.LEASE_MAX_MS_KEY, Throttle.LEASE_MAX_MS_DEFAULT),
        Read.number(conf, Throttle.TRANSFER_EXPIRY_MS_KEY, Throttle.TRANSFER_EXPIRY_MS_DEFAULT),
        sharesBytes(conf.getTrimmed(Sharing.SHARE_BY_KEY, Sharing.SHARE_BY_DEFAULT)),
        conf.getBoolean(Throttle.DOOR_ENABLED_KEY, Throttle.DOOR_ENABLED_DEFAULT),
        conf.getTrimmed(Throttle.DOOR_DIRECTORY_KEY, Throttle.DOOR_DIRECTORY_DEFAULT),
        conf.getTrimmedStringCollection(YarnConfiguration.NM_LOCAL_DIRS).stream()
            .map(directory -> new Path(directory).toUri().getPath())
            .toList());
  }

  private static boolean sharesBytes(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "bytes" -> true;
      case "flows" -> false;
      default ->
          throw new IllegalArgumentException(
              Sharing.SHARE_BY_KEY + " is neither flows nor bytes: " + name);
    };
  }
}
