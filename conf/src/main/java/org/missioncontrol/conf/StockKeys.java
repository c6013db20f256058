/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.conf;

/**
 * Hadoop's own server keys that we obey, with Hadoop's names (ShuffleHandler of 3.5.0, whose
 * constants live in a jar that tasks lack). Immutable.
 */
final class StockKeys {
  static final String PORT = "mapreduce.shuffle.port";
  static final String LISTEN_QUEUE = "mapreduce.shuffle.listen.queue.size";
  static final String MAX_CONNECTIONS = "mapreduce.shuffle.max.connections";
  static final String MAX_THREADS = "mapreduce.shuffle.max.threads";
  static final String KEEP_ALIVE = "mapreduce.shuffle.connection-keep-alive.enable";
  static final String KEEP_ALIVE_TIMEOUT = "mapreduce.shuffle.connection-keep-alive.timeout";
  static final String MANAGE_OS_CACHE = "mapreduce.shuffle.manage.os.cache";
  static final String READAHEAD_BYTES = "mapreduce.shuffle.readahead.bytes";
  static final String TRANSFER_TO_ALLOWED = "mapreduce.shuffle.transferTo.allowed";
  static final String TRANSFER_BUFFER_SIZE = "mapreduce.shuffle.transfer.buffer.size";
  static final String PATH_CACHE_WEIGHT = "mapreduce.shuffle.pathcache.max-weight";
  static final String PATH_CACHE_MINUTES =
      "mapreduce.shuffle.pathcache.expire-after-access-minutes";
  static final String SSL_FILE_BUFFER = "mapreduce.shuffle.ssl.file.buffer.size";

  private StockKeys() {}
}
