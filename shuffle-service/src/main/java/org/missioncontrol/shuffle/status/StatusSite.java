/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.status;

import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.scheduler.control.ControlProtocol;
import org.missioncontrol.scheduler.control.ControlReply;
import org.missioncontrol.scheduler.control.ControlRequest;

/**
 * Answers whoever only looks: the page, its script and style, the status as JSON and for
 * Prometheus. Thread-safe; blocks for a moment while connections tell their state.
 */
public final class StatusSite {
  /** GET: the status in the text format of Prometheus. */
  public static final String METRICS_PATH = ControlProtocol.ROOT + "metrics";

  /** Nothing but what this port serves, and nothing inside other pages. */
  private static final String CONTENT_SECURITY_POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private final Map<String, Asset> assets =
      Map.of(
          ControlProtocol.ROOT,
          Asset.of("page.html", "text/html; charset=utf-8"),
          ControlProtocol.ROOT + "page.svg",
          Asset.of("page.svg", "image/svg+xml"),
          ControlProtocol.ROOT + "page.css",
          Asset.of("page.css", "text/css; charset=utf-8"),
          ControlProtocol.ROOT + "page.js",
          Asset.of("page.js", "text/javascript; charset=utf-8"));

  private final @Nullable Supplier<@Nullable StatusReport> status;

  /**
   * @param status null when nothing is shown; gives null while the service starts
   */
  public StatusSite(@Nullable Supplier<@Nullable StatusReport> status) {
    this.status = status;
  }

  /** The reply, or null if the path is not one of these. */
  public @Nullable ControlReply answer(ControlRequest request) {
    String path = request.path();
    boolean entrance = isEntrance(path);
    if (!entrance
        && !assets.containsKey(path)
        && !path.equals(ControlProtocol.STATUS_PATH)
        && !path.equals(METRICS_PATH)) {
      return null;
    }
    if (status == null) {
      return refusal(404, "the status is switched off (mission-control.status.enabled)");
    }
    if (!request.method().equals("GET")) {
      return refusal(405, "the status can only be read: GET " + path);
    }
    if (entrance) {
      return new ControlReply(302, "", null, Map.of("location", ControlProtocol.ROOT));
    }
    Asset asset = assets.get(path);
    return asset == null ? report(status, path.equals(METRICS_PATH)) : asset.reply();
  }

  private static boolean isEntrance(String path) {
    return path.equals(ControlProtocol.ENTRANCE)
        || path.equals(ControlProtocol.ENTRANCE + "/")
        || path.equals(ControlProtocol.ENTRANCE + "/v1");
  }

  private static ControlReply report(
      Supplier<@Nullable StatusReport> status, boolean forPrometheus) {
    StatusReport report = status.get();
    if (report == null) {
      return refusal(503, "the service is starting; ask again in a moment");
    }
    if (forPrometheus) {
      return new ControlReply(
          200, PrometheusText.of(report), null, headers(PrometheusText.CONTENT_TYPE));
    }
    return new ControlReply(200, StatusJson.write(report), null, headers("application/json"));
  }

  static Map<String, String> headers(String contentType) {
    return Map.of(
        "content-type",
        contentType,
        "cache-control",
        "no-store",
        "content-security-policy",
        CONTENT_SECURITY_POLICY,
        "x-content-type-options",
        "nosniff",
        "referrer-policy",
        "no-referrer");
  }

  private static ControlReply refusal(int status, String sentence) {
    return new ControlReply(status, sentence, null);
  }
}
