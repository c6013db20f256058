/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.conf;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.missioncontrol.conf.Keys.Am;

/**
 * The controller in a job's ApplicationMaster. Immutable.
 *
 * @param delegatePolicy class of the preemption policy that the job would have had without us
 * @param pollIntervalMs milliseconds between two looks at the job
 * @param announceIntervalMs milliseconds after which an unchanged transfer is announced again
 * @param callTimeoutMs milliseconds that one call to a NodeManager may take
 * @param priority of the job, as its user named it
 * @param sslEnabled whether the shuffle ports speak HTTPS
 */
public record AmConfig(
    String delegatePolicy,
    long pollIntervalMs,
    long announceIntervalMs,
    int callTimeoutMs,
    String priority,
    boolean sslEnabled) {
  /** Refuses numbers out of range, naming the key. */
  public AmConfig {
    Checks.atLeast(Am.POLL_INTERVAL_MS_KEY, 10L, pollIntervalMs);
    Checks.atLeast(Am.ANNOUNCE_INTERVAL_MS_KEY, 10L, announceIntervalMs);
    Checks.atLeast(Am.CALL_TIMEOUT_MS_KEY, 10, callTimeoutMs);
  }

  /** Parses a job's configuration; throws {@link IllegalArgumentException} naming the bad key. */
  public static AmConfig from(Configuration conf) {
    return new AmConfig(
        delegatePolicy(conf),
        Read.number(conf, Am.POLL_INTERVAL_MS_KEY, Am.POLL_INTERVAL_MS_DEFAULT),
        Read.number(conf, Am.ANNOUNCE_INTERVAL_MS_KEY, Am.ANNOUNCE_INTERVAL_MS_DEFAULT),
        Read.integer(conf, Am.CALL_TIMEOUT_MS_KEY, Am.CALL_TIMEOUT_MS_DEFAULT),
        conf.getTrimmed(MRJobConfig.PRIORITY, "NORMAL"),
        conf.getBoolean(MRConfig.SHUFFLE_SSL_ENABLED_KEY, MRConfig.SHUFFLE_SSL_ENABLED_DEFAULT));
  }

  /** The one value that is needed also where another is out of range. */
  public static String delegatePolicy(Configuration conf) {
    return conf.getTrimmed(Am.DELEGATE_POLICY_KEY, Am.DELEGATE_POLICY_DEFAULT);
  }
}
