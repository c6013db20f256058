/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.MalformedURLException;
import java.net.Proxy;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.net.ssl.HttpsURLConnection;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.ssl.SSLFactory;
import org.jspecify.annotations.Nullable;

/** GETs; HTTPS after ssl-client.xml. Thread-safe. */
final class Web implements AutoCloseable {
  private static final int MAX_BODY = 64 << 20;
  private static final int MAX_SENTENCE = 300;

  private final Configuration conf;
  private final int timeoutMs;
  private @Nullable SSLFactory ssl;

  /**
   * @param timeoutMs milliseconds for connecting, and again without a byte of the reply
   */
  Web(Configuration conf, int timeoutMs) {
    this.conf = conf;
    this.timeoutMs = timeoutMs;
  }

  /**
   * The body of a reply.
   *
   * @throws IOException in words for an operator
   */
  String get(String url) throws IOException {
    HttpURLConnection connection = open(url);
    try {
      connection.setConnectTimeout(timeoutMs);
      connection.setReadTimeout(timeoutMs);
      connection.setInstanceFollowRedirects(false);
      connection.setRequestProperty("Accept", "application/json");
      int status = connection.getResponseCode();
      if (status != HttpURLConnection.HTTP_OK) {
        String sentence = body(connection.getErrorStream(), MAX_SENTENCE);
        throw new IOException("answers " + status + (sentence.isBlank() ? "" : ": " + sentence));
      }
      return body(connection.getInputStream(), MAX_BODY);
    } finally {
      connection.disconnect();
    }
  }

  /** Lets other code of this command, too, connect to an HTTPS URL after ssl-client.xml. */
  void trustForAll(String url) throws CliException {
    if (url.startsWith("https:")) {
      try {
        HttpsURLConnection.setDefaultSSLSocketFactory(ssl().createSSLSocketFactory());
        HttpsURLConnection.setDefaultHostnameVerifier(ssl().getHostnameVerifier());
      } catch (IOException | GeneralSecurityException e) {
        throw CliException.failed(url + " cannot be asked by HTTPS: " + e.getMessage());
      }
    }
  }

  private HttpURLConnection open(String url) throws IOException {
    HttpURLConnection connection;
    try {
      connection = (HttpURLConnection) new URL(url).openConnection(Proxy.NO_PROXY);
    } catch (MalformedURLException | ClassCastException e) {
      throw new IOException("is no address of HTTP", e);
    }
    if (url.startsWith("https:")) {
      ssl().configure(connection);
    }
    return connection;
  }

  private synchronized SSLFactory ssl() throws IOException {
    if (ssl == null) {
      SSLFactory opened = new SSLFactory(SSLFactory.Mode.CLIENT, conf);
      try {
        opened.init();
      } catch (GeneralSecurityException e) {
        throw new IOException("cannot be asked by HTTPS: " + e.getMessage(), e);
      }
      ssl = opened;
    }
    return ssl;
  }

  private static String body(@Nullable InputStream in, int limit) throws IOException {
    if (in == null) {
      return "";
    }
    try (in) {
      return new String(in.readNBytes(limit), StandardCharsets.UTF_8);
    }
  }

  @Override
  public synchronized void close() {
    if (ssl != null) {
      ssl.destroy();
    }
  }
}
