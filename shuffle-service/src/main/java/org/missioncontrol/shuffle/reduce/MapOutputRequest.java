/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import javax.crypto.SecretKey;
import org.apache.hadoop.mapreduce.security.SecureShuffleUtils;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleHeader;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.scheduler.security.JobHash;
import org.missioncontrol.shuffle.wire.ShuffleExtension;
import org.missioncontrol.transport.Transport;

/**
 * One request for a batch of map outputs: stock's, with our extension as further parameters (the
 * hash covers them). Immutable.
 *
 * @param hash of the URL, under the job's secret
 */
record MapOutputRequest(
    MapServer server, List<MapAttempt> maps, int reduce, String uri, String hash) {
  /** What attempts may take of a request line; the servers' limit is 4096 for all of it. */
  private static final int MAX_ATTEMPTS_LENGTH = 3500;

  /**
   * The job that asks. Immutable.
   *
   * @param encryptedOnly whether the server may not answer in clear
   */
  record Asker(String job, int reduce, SecretKey secret, boolean encryptedOnly) {}

  /**
   * @param transport wanted of the server from this reply on; null: the one that it has
   */
  static MapOutputRequest of(
      Asker asker, @Nullable Transport transport, MapServer server, List<MapAttempt> maps)
      throws IOException {
    String uri =
        server.path()
            + "/mapOutput?job="
            + asker.job()
            + "&reduce="
            + asker.reduce()
            + "&map="
            + maps.stream().map(MapAttempt::id).collect(Collectors.joining(","))
            + "&keepAlive=true&"
            + ShuffleExtension.NAME
            + "="
            + ShuffleExtension.VERSION
            + (transport == null ? "" : "&" + ShuffleExtension.TRANSPORT + "=" + transport.name())
            + (asker.encryptedOnly() ? "&" + ShuffleExtension.ENCRYPTED_ONLY + "=true" : "");
    return new MapOutputRequest(
        server, maps, asker.reduce(), uri, JobHash.of(server.port() + uri, asker.secret()));
  }

  /** Most attempts of the same length as {@code example} that one request line holds. */
  static int most(MapAttempt example) {
    return Math.max(1, MAX_ATTEMPTS_LENGTH / (example.id().length() + 1));
  }

  FullHttpRequest http() {
    FullHttpRequest request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, uri);
    request
        .headers()
        .set(HttpHeaderNames.HOST, server.host() + ":" + server.port())
        .set(SecureShuffleUtils.HTTP_HEADER_URL_HASH, hash)
        .set(ShuffleHeader.HTTP_HEADER_NAME, ShuffleHeader.DEFAULT_HTTP_HEADER_NAME)
        .set(ShuffleHeader.HTTP_HEADER_VERSION, ShuffleHeader.DEFAULT_HTTP_HEADER_VERSION);
    return request;
  }
}
