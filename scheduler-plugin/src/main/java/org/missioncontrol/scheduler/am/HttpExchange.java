/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.SocketTimeoutException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.security.ssl.SSLFactory;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.scheduler.control.ControlProtocol;
import org.missioncontrol.scheduler.control.ControlReply;
import org.missioncontrol.scheduler.control.ControlRequest;

/** Messages over HTTP, one connection each, no proxy, no redirects. Thread-safe. */
final class HttpExchange implements ControlExchange {
  private final int timeoutMs;
  private final @Nullable SSLFactory ssl;

  /**
   * An exchange in which all of one call takes {@code timeoutMs} milliseconds at most; HTTPS if
   * {@code ssl}.
   */
  HttpExchange(int timeoutMs, @Nullable SSLFactory ssl) {
    this.timeoutMs = timeoutMs;
    this.ssl = ssl;
  }

  @Override
  public ControlReply exchange(Node node, ControlRequest request) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    HttpURLConnection connection = open(node, request.path());
    try {
      connection.setRequestMethod(request.method());
      connection.setRequestProperty("Connection", "close");
      header(connection, ControlProtocol.JOB_HEADER, request.job());
      header(connection, ControlProtocol.SEQUENCE_HEADER, request.sequence());
      header(connection, ControlProtocol.SIGNATURE_HEADER, request.signature());
      connection.setConnectTimeout(timeoutMs);
      connection.setReadTimeout(timeoutMs);
      if (!request.body().isEmpty()) {
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", "application/json");
      }
      connection.connect();
      connection.setReadTimeout(left(deadline));
      if (!request.body().isEmpty()) {
        try (OutputStream out = connection.getOutputStream()) {
          out.write(request.body().getBytes(StandardCharsets.UTF_8));
        }
      }
      return reply(connection, deadline);
    } finally {
      connection.disconnect();
    }
  }

  private HttpURLConnection open(Node node, String path) throws IOException {
    URL url = new URL(ssl == null ? "http" : "https", node.host(), node.port(), path);
    HttpURLConnection connection = (HttpURLConnection) url.openConnection(Proxy.NO_PROXY);
    if (ssl != null) {
      ssl.configure(connection);
    }
    connection.setInstanceFollowRedirects(false);
    connection.setUseCaches(false);
    return connection;
  }

  private static void header(HttpURLConnection connection, String name, @Nullable String value) {
    if (value != null) {
      connection.setRequestProperty(name, value);
    }
  }

  private static ControlReply reply(HttpURLConnection connection, long deadline)
      throws IOException {
    int status = connection.getResponseCode();
    if (status != HttpURLConnection.HTTP_OK) {
      return new ControlReply(status, "", null);
    }
    try (InputStream in = connection.getInputStream()) {
      String body = new String(read(in, deadline), StandardCharsets.UTF_8);
      String signature = connection.getHeaderField(ControlProtocol.REPLY_SIGNATURE_HEADER);
      return new ControlReply(status, body, signature);
    }
  }

  private static byte[] read(InputStream in, long deadline) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    byte[] piece = new byte[8192];
    for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
      body.write(piece, 0, n);
      if (body.size() > ControlProtocol.MAX_REPLY_BYTES) {
        throw new IOException("reply > " + ControlProtocol.MAX_REPLY_BYTES + " bytes");
      }
      left(deadline);
    }
    return body.toByteArray();
  }

  private static int left(long deadline) throws SocketTimeoutException {
    long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
    if (left <= 0) {
      throw new SocketTimeoutException("the call took too long");
    }
    return (int) left;
  }
}
