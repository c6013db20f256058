/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import java.io.IOException;
import javax.crypto.SecretKey;
import org.apache.hadoop.mapreduce.security.SecureShuffleUtils;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleHeader;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.scheduler.security.JobHash;
import org.missioncontrol.shuffle.wire.ShuffleExtension;

/** Whether a reply is what the job's map output server would say. Immutable. */
final class ReplyCheck {
  /** Wait after a 429 that names no time, milliseconds (stock's). */
  private static final long RETRY_AFTER_DEFAULT_MS = 1000;

  /** Longest wait that a server can impose, milliseconds. */
  private static final long RETRY_AFTER_MAX_MS = 60_000;

  private ReplyCheck() {}

  /** The fault that a status other than 200 stands for. */
  static IOException refusal(HttpResponse response, MapServer server, String body) {
    HttpResponseStatus status = response.status();
    if (status.equals(HttpResponseStatus.TOO_MANY_REQUESTS)) {
      return new ServerBusy(retryAfter(response.headers().get(HttpHeaderNames.RETRY_AFTER)));
    }
    return new FetchFault(
        status.equals(HttpResponseStatus.INTERNAL_SERVER_ERROR)
            ? FetchFault.Kind.BATCH
            : FetchFault.Kind.HOST,
        server + " answered " + status + (body.isEmpty() ? "" : ": " + body));
  }

  private static long retryAfter(@Nullable String milliseconds) {
    try {
      long wait = milliseconds == null ? -1 : Long.parseLong(milliseconds.trim());
      return wait < 0 ? RETRY_AFTER_DEFAULT_MS : Math.min(wait, RETRY_AFTER_MAX_MS);
    } catch (NumberFormatException e) {
      return RETRY_AFTER_DEFAULT_MS;
    }
  }

  /** Checks version and hash of a 200. */
  static Reply.Head head(HttpResponse response, MapOutputRequest asked, SecretKey secret)
      throws IOException {
    HttpHeaders headers = response.headers();
    String name = headers.get(ShuffleHeader.HTTP_HEADER_NAME);
    String version = headers.get(ShuffleHeader.HTTP_HEADER_VERSION);
    if (!ShuffleHeader.DEFAULT_HTTP_HEADER_NAME.equals(name)
        || !ShuffleHeader.DEFAULT_HTTP_HEADER_VERSION.equals(version)) {
      throw new FetchFault(
          FetchFault.Kind.HOST,
          asked.server() + " speaks " + name + " " + version + ", not mapreduce 1.0.0");
    }
    if (!JobHash.matches(
        headers.get(SecureShuffleUtils.HTTP_HEADER_REPLY_URL_HASH), asked.hash(), secret)) {
      throw new FetchFault(
          FetchFault.Kind.HOST,
          asked.server() + " does not know the job's secret: its reply hash is wrong");
    }
    return new Reply.Head(
        HttpUtil.isKeepAlive(response),
        ShuffleExtension.VERSION.equals(headers.get(ShuffleExtension.NAME)),
        HttpUtil.getContentLength(response, -1L),
        headers.get(ShuffleExtension.TRANSPORT_REFUSED));
  }
}
