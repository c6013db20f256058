/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.cluster;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Optional;

/** Reads pages of daemons. Thread-safe. */
public final class Http {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE).build();

  private Http() {}

  /** The body of a 200 reply; empty when nobody listens yet, it is late, or it says otherwise. */
  public static Optional<String> get(String url) throws InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url)).timeout(PATIENCE).GET().build();
    try {
      HttpResponse<String> reply = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
      return reply.statusCode() == 200 ? Optional.of(reply.body()) : Optional.empty();
    } catch (ConnectException | HttpTimeoutException notYet) {
      return Optional.empty();
    } catch (IOException broken) {
      return Optional.empty();
    }
  }
}
