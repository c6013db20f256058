/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.SecretKey;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.mapreduce.security.SecureShuffleUtils;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleHeader;

/** A reducer as stock writes it, and an operator's browser, for tests. */
final class StockClient {
  private static final int TIMEOUT_MS = 20_000;

  private final String root;
  private final SecretKey secret;

  StockClient(String scheme, int port, String secret) {
    this.root = scheme + "://localhost:" + port;
    this.secret = JobTokenSecretManager.createSecretKey(secret.getBytes(UTF_8));
  }

  StockClient(int port) {
    this("http", port, Jobs.SECRET);
  }

  /** Status code of a fetch of one map output. */
  int status(String attempt) throws IOException {
    HttpURLConnection connection = request(0, false, attempt);
    try {
      return connection.getResponseCode();
    } finally {
      connection.disconnect();
    }
  }

  /** Bodies by map attempt of one partition. */
  Map<String, String> fetch(int reduce, boolean keepAlive, String... attempts) throws IOException {
    HttpURLConnection connection = request(reduce, keepAlive, attempts);
    String hash =
        SecureShuffleUtils.hashFromString(
            SecureShuffleUtils.buildMsgFrom(connection.getURL()), secret);
    Map<String, String> bodies = new LinkedHashMap<>();
    try (DataInputStream in = new DataInputStream(connection.getInputStream())) {
      SecureShuffleUtils.verifyReply(
          connection.getHeaderField(SecureShuffleUtils.HTTP_HEADER_REPLY_URL_HASH), hash, secret);
      for (int i = 0; i < attempts.length; i++) {
        String attempt = Text.readString(in);
        int partLength = (int) WritableUtils.readVLong(in);
        WritableUtils.readVLong(in);
        WritableUtils.readVInt(in);
        bodies.put(attempt, new String(in.readNBytes(partLength), UTF_8));
      }
      if (in.read() >= 0) {
        throw new IOException("more bytes than map outputs");
      }
    }
    return bodies;
  }

  /** Body of a plain GET. */
  String get(String path) throws IOException {
    HttpURLConnection connection = open(path);
    try (InputStream in = connection.getInputStream()) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  HttpURLConnection open(String path) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) new URL(root + path).openConnection();
    connection.setConnectTimeout(TIMEOUT_MS);
    connection.setReadTimeout(TIMEOUT_MS);
    return connection;
  }

  private HttpURLConnection request(int reduce, boolean keepAlive, String... attempts)
      throws IOException {
    HttpURLConnection connection =
        open(
            "/mapOutput?job="
                + Jobs.ID
                + "&reduce="
                + reduce
                + "&map="
                + String.join(",", attempts)
                + (keepAlive ? "&keepAlive=true" : ""));
    connection.setRequestProperty(
        ShuffleHeader.HTTP_HEADER_NAME, ShuffleHeader.DEFAULT_HTTP_HEADER_NAME);
    connection.setRequestProperty(
        ShuffleHeader.HTTP_HEADER_VERSION, ShuffleHeader.DEFAULT_HTTP_HEADER_VERSION);
    connection.setRequestProperty(
        SecureShuffleUtils.HTTP_HEADER_URL_HASH,
        SecureShuffleUtils.hashFromString(
            SecureShuffleUtils.buildMsgFrom(connection.getURL()), secret));
    return connection;
  }
}
