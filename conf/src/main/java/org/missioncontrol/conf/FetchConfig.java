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
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.missioncontrol.conf.Keys.Fetch;

/**
 * A reducer's fetching: stock keys with their stock meaning and default, and ours. Immutable.
 *
 * @param parallelCopies most flows that one reducer asks for at once
 * @param connectTimeoutMs milliseconds that one connection attempt may take
 * @param readTimeoutMs milliseconds without one byte after which a connection is given up
 * @param retryEnabled whether a host that went away is given {@code retryTimeoutMs} to come back
 * @param retryIntervalMs milliseconds between attempts in that time
 * @param retryTimeoutMs milliseconds
 * @param retryDelayMaxMs longest penalty of a host, milliseconds
 * @param maxFetchFailures failures of one map after which it is reported again
 * @param maxHostFailures failures of one host after which its maps are reported
 * @param notifyReadError whether a read error is reported at once
 * @param sslEnabled whether map outputs are fetched over HTTPS
 * @param leasesEnabled whether the NodeManager is asked for flows
 * @param localFiles whether outputs of the reducer's own host are read as files that the
 *     NodeManager passes
 * @param localFilesTimeoutMs milliseconds that the NodeManager may take to pass the files of one
 *     request; then they are fetched
 * @param doorTimeoutMs milliseconds without an answer of the NodeManager after which plain sockets
 *     are opened
 * @param mapsPerBatch most map outputs asked for in one request, 1 to 100
 * @param leaseTargetMs milliseconds that a batch over a leased flow should take; 0 for no target
 * @param flowsPerMapHost most flows that one reducer holds to one map host, 1 to 16
 * @param ownRackFirst whether map hosts of the reducer's rack get its flows before others
 * @param penaltyInitialMs first penalty of a failing host, milliseconds
 * @param copierReadsFrom bytes of a reply from which on the copier reads the socket itself; 0:
 *     never
 */
public record FetchConfig(
    int parallelCopies,
    int connectTimeoutMs,
    int readTimeoutMs,
    boolean retryEnabled,
    int retryIntervalMs,
    int retryTimeoutMs,
    long retryDelayMaxMs,
    int maxFetchFailures,
    int maxHostFailures,
    boolean notifyReadError,
    boolean sslEnabled,
    boolean leasesEnabled,
    boolean localFiles,
    long localFilesTimeoutMs,
    long doorTimeoutMs,
    int mapsPerBatch,
    long leaseTargetMs,
    int flowsPerMapHost,
    boolean ownRackFirst,
    long penaltyInitialMs,
    int copierReadsFrom) {
  /** Refuses numbers out of range, naming the key. */
  public FetchConfig {
    Checks.atLeast(MRJobConfig.SHUFFLE_PARALLEL_COPIES, 1, parallelCopies);
    Checks.atLeast(MRJobConfig.SHUFFLE_FETCH_FAILURES, 1, maxFetchFailures);
    Checks.atLeast(MRJobConfig.SHUFFLE_CONNECT_TIMEOUT, 0, connectTimeoutMs);
    Checks.atLeast(MRJobConfig.SHUFFLE_READ_TIMEOUT, 0, readTimeoutMs);
    Checks.atLeast(Fetch.LOCAL_FILES_TIMEOUT_MS_KEY, 1L, localFilesTimeoutMs);
    Checks.atLeast(Fetch.DOOR_TIMEOUT_MS_KEY, 1L, doorTimeoutMs);
    Checks.atLeast(Fetch.MAPS_PER_BATCH_KEY, 1, mapsPerBatch);
    Checks.atLeast(Fetch.LEASE_TARGET_MS_KEY, 0L, leaseTargetMs);
    Checks.atLeast(Fetch.FLOWS_PER_MAP_HOST_KEY, 1, flowsPerMapHost);
    Checks.atLeast(Fetch.PENALTY_INITIAL_MS_KEY, 1L, penaltyInitialMs);
    Checks.atLeast(Fetch.COPIER_READS_FROM_KEY, 0, copierReadsFrom);
    if (mapsPerBatch > 100) {
      throw new IllegalArgumentException(
          Fetch.MAPS_PER_BATCH_KEY + " > 100, more than a request line holds: " + mapsPerBatch);
    }
    if (flowsPerMapHost > 16) {
      throw new IllegalArgumentException(
          Fetch.FLOWS_PER_MAP_HOST_KEY + " > 16, unkind to map hosts: " + flowsPerMapHost);
    }
  }

  /** Parses a job's configuration; throws {@link IllegalArgumentException} naming the bad key. */
  public static FetchConfig from(Configuration conf) {
    boolean nodeManagerRecovers =
        conf.getBoolean(
            YarnConfiguration.NM_RECOVERY_ENABLED, YarnConfiguration.DEFAULT_NM_RECOVERY_ENABLED);
    return new FetchConfig(
        Read.integer(conf, MRJobConfig.SHUFFLE_PARALLEL_COPIES, 5),
        Read.integer(conf, MRJobConfig.SHUFFLE_CONNECT_TIMEOUT, 180_000),
        Read.integer(conf, MRJobConfig.SHUFFLE_READ_TIMEOUT, 180_000),
        conf.getBoolean(MRJobConfig.SHUFFLE_FETCH_RETRY_ENABLED, nodeManagerRecovers),
        Read.integer(
            conf,
            MRJobConfig.SHUFFLE_FETCH_RETRY_INTERVAL_MS,
            MRJobConfig.DEFAULT_SHUFFLE_FETCH_RETRY_INTERVAL_MS),
        Read.integer(conf, MRJobConfig.SHUFFLE_FETCH_RETRY_TIMEOUT_MS, 30_000),
        Read.number(
            conf,
            MRJobConfig.MAX_SHUFFLE_FETCH_RETRY_DELAY,
            MRJobConfig.DEFAULT_MAX_SHUFFLE_FETCH_RETRY_DELAY),
        Read.integer(conf, MRJobConfig.SHUFFLE_FETCH_FAILURES, 10),
        Read.integer(
            conf,
            MRJobConfig.MAX_SHUFFLE_FETCH_HOST_FAILURES,
            MRJobConfig.DEFAULT_MAX_SHUFFLE_FETCH_HOST_FAILURES),
        conf.getBoolean(MRJobConfig.SHUFFLE_NOTIFY_READERROR, true),
        conf.getBoolean(MRConfig.SHUFFLE_SSL_ENABLED_KEY, MRConfig.SHUFFLE_SSL_ENABLED_DEFAULT),
        conf.getBoolean(Fetch.LEASES_ENABLED_KEY, Fetch.LEASES_ENABLED_DEFAULT),
        conf.getBoolean(Fetch.LOCAL_FILES_ENABLED_KEY, Fetch.LOCAL_FILES_ENABLED_DEFAULT),
        Read.number(conf, Fetch.LOCAL_FILES_TIMEOUT_MS_KEY, Fetch.LOCAL_FILES_TIMEOUT_MS_DEFAULT),
        Read.number(conf, Fetch.DOOR_TIMEOUT_MS_KEY, Fetch.DOOR_TIMEOUT_MS_DEFAULT),
        Read.integer(conf, Fetch.MAPS_PER_BATCH_KEY, Fetch.MAPS_PER_BATCH_DEFAULT),
        Read.number(conf, Fetch.LEASE_TARGET_MS_KEY, Fetch.LEASE_TARGET_MS_DEFAULT),
        Read.integer(conf, Fetch.FLOWS_PER_MAP_HOST_KEY, Fetch.FLOWS_PER_MAP_HOST_DEFAULT),
        conf.getBoolean(Fetch.OWN_RACK_FIRST_KEY, Fetch.OWN_RACK_FIRST_DEFAULT),
        Read.number(conf, Fetch.PENALTY_INITIAL_MS_KEY, Fetch.PENALTY_INITIAL_MS_DEFAULT),
        Read.integer(conf, Fetch.COPIER_READS_FROM_KEY, Fetch.COPIER_READS_FROM_DEFAULT));
  }
}
