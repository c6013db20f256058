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
import org.missioncontrol.conf.Keys.Server;

/**
 * The NodeManager's shuffle server: stock keys with their stock meaning and default, and ours.
 * Immutable.
 *
 * @param port TCP port, 0 for any free one
 * @param listenQueue backlog of the listening socket
 * @param maxConnections connections beyond which a new one gets 429; 0 for no limit
 * @param threads event loop threads; 0 for twice the cores
 * @param keepAlive whether stock clients are kept connected after a reply
 * @param keepAliveTimeoutSeconds seconds that a kept connection may be idle
 * @param manageOsCache whether sent bytes are dropped from the page cache
 * @param readaheadBytes how far ahead of the sender the kernel is asked to read
 * @param transferToAllowed whether sendfile may be used
 * @param transferBufferBytes size of the copy buffer where it may not
 * @param pathCacheWeight characters of path names that are remembered
 * @param pathCacheMinutes minutes after the last use that a path is forgotten
 * @param indexCacheMb megabytes of index records that are remembered
 * @param sslEnabled whether the port speaks HTTPS after ssl-server.xml
 * @param sslFileBufferBytes chunk size of an encrypted body
 * @param idleTimeoutMs milliseconds that a client may take before its next request
 * @param stallTimeoutMs milliseconds without one byte of progress after which a reply is given up
 * @param diskThreads threads for blocking disk work; 0 for twice the cores
 * @param smallOutputsMb megabytes of small map outputs that are remembered
 * @param statusEnabled whether the status is served
 */
public record ServerConfig(
    int port,
    int listenQueue,
    int maxConnections,
    int threads,
    boolean keepAlive,
    int keepAliveTimeoutSeconds,
    boolean manageOsCache,
    int readaheadBytes,
    boolean transferToAllowed,
    int transferBufferBytes,
    int pathCacheWeight,
    int pathCacheMinutes,
    int indexCacheMb,
    boolean sslEnabled,
    int sslFileBufferBytes,
    long idleTimeoutMs,
    long stallTimeoutMs,
    int diskThreads,
    int smallOutputsMb,
    boolean statusEnabled) {
  /** Refuses numbers out of range, naming the key. */
  public ServerConfig {
    Checks.atLeast(StockKeys.PORT, 0, port);
    if (port > 65_535) {
      throw new IllegalArgumentException(StockKeys.PORT + " > 65535: " + port);
    }
    Checks.atLeast(StockKeys.LISTEN_QUEUE, 1, listenQueue);
    Checks.atLeast(StockKeys.TRANSFER_BUFFER_SIZE, 1, transferBufferBytes);
    Checks.atLeast(StockKeys.SSL_FILE_BUFFER, 1, sslFileBufferBytes);
    Checks.atLeast(Server.IDLE_TIMEOUT_MS_KEY, 1L, idleTimeoutMs);
    Checks.atLeast(Server.STALL_TIMEOUT_MS_KEY, 1L, stallTimeoutMs);
    Checks.atLeast(Server.DISK_THREADS_KEY, 0, diskThreads);
    Checks.atLeast(Server.SMALL_OUTPUTS_MB_KEY, 0, smallOutputsMb);
  }

  /**
   * Parses the NodeManager's configuration; throws {@link IllegalArgumentException} naming the bad
   * key.
   */
  public static ServerConfig from(Configuration conf) {
    return new ServerConfig(
        Read.integer(conf, StockKeys.PORT, 13562),
        Read.integer(conf, StockKeys.LISTEN_QUEUE, 128),
        Read.integer(conf, StockKeys.MAX_CONNECTIONS, 0),
        Read.integer(conf, StockKeys.MAX_THREADS, 0),
        conf.getBoolean(StockKeys.KEEP_ALIVE, false),
        Read.integer(conf, StockKeys.KEEP_ALIVE_TIMEOUT, 5),
        conf.getBoolean(StockKeys.MANAGE_OS_CACHE, true),
        Read.integer(conf, StockKeys.READAHEAD_BYTES, 4 << 20),
        conf.getBoolean(StockKeys.TRANSFER_TO_ALLOWED, true),
        Read.integer(conf, StockKeys.TRANSFER_BUFFER_SIZE, 128 << 10),
        Read.integer(conf, StockKeys.PATH_CACHE_WEIGHT, 10 << 20),
        Read.integer(conf, StockKeys.PATH_CACHE_MINUTES, 5),
        Read.integer(conf, MRJobConfig.SHUFFLE_INDEX_CACHE, 10),
        conf.getBoolean(MRConfig.SHUFFLE_SSL_ENABLED_KEY, MRConfig.SHUFFLE_SSL_ENABLED_DEFAULT),
        Read.integer(conf, StockKeys.SSL_FILE_BUFFER, 60 << 10),
        Read.number(conf, Server.IDLE_TIMEOUT_MS_KEY, Server.IDLE_TIMEOUT_MS_DEFAULT),
        Read.number(conf, Server.STALL_TIMEOUT_MS_KEY, Server.STALL_TIMEOUT_MS_DEFAULT),
        Read.integer(conf, Server.DISK_THREADS_KEY, Server.DISK_THREADS_DEFAULT),
        Read.integer(conf, Server.SMALL_OUTPUTS_MB_KEY, Server.SMALL_OUTPUTS_MB_DEFAULT),
        conf.getBoolean(Server.STATUS_ENABLED_KEY, Server.STATUS_ENABLED_DEFAULT));
  }
}
