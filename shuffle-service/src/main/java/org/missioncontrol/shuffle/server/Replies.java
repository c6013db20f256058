/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import org.missioncontrol.shuffle.server.AuthenticatedRequest.TransportReport;
import org.missioncontrol.shuffle.wire.ShuffleExtension;

/**
 * The heads of replies, with the stock handler's header names in its order. Immutable.
 *
 * @see RequestDecoder
 */
final class Replies {
  static final String NAME_HEADER = "name";
  static final String NAME = "mapreduce";
  static final String VERSION_HEADER = "version";
  static final String VERSION = "1.0.0";
  static final String URL_HASH_HEADER = "UrlHash";
  static final String REPLY_HASH_HEADER = "ReplyHash";

  private static final HttpResponseStatus TOO_MANY_REQUESTS =
      new HttpResponseStatus(429, "TOO MANY REQUESTS");

  /** Milliseconds, whatever HTTP says: stock reducers read it so. */
  private static final long RETRY_AFTER_MS = 1000;

  private Replies() {}

  static FullHttpResponse error(HttpResponseStatus status, String message) {
    FullHttpResponse response = bareError(status, message);
    HttpUtil.setContentLength(response, response.content().readableBytes());
    return response;
  }

  static FullHttpResponse tooManyConnections() {
    FullHttpResponse response = bareError(TOO_MANY_REQUESTS, "");
    response.headers().set("Retry-After", String.valueOf(RETRY_AFTER_MS));
    HttpUtil.setContentLength(response, 0);
    return response;
  }

  /**
   * The head of a reply with map outputs.
   *
   * @param keepAliveSeconds 0 to close the connection after it
   */
  static HttpResponse outputs(
      AuthenticatedRequest request, long keepAliveSeconds, long contentLength) {
    HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    HttpHeaders headers = response.headers();
    headers.set(REPLY_HASH_HEADER, request.replyHash());
    headers.set(NAME_HEADER, NAME);
    headers.set(VERSION_HEADER, VERSION);
    if (keepAliveSeconds == 0) {
      headers.set("Connection", "close");
    } else {
      headers.set("Connection", "Keep-Alive");
      headers.set("Keep-Alive", "timeout=" + keepAliveSeconds);
    }
    HttpUtil.setContentLength(response, contentLength);
    if (request.shuffle().extension()) {
      headers.set(ShuffleExtension.NAME, ShuffleExtension.VERSION);
    }
    TransportReport transport = request.transport();
    if (transport != null) {
      headers.set(ShuffleExtension.TRANSPORT_USED, transport.used());
      if (transport.refusal() != null) {
        headers.set(ShuffleExtension.TRANSPORT_REFUSED, transport.refusal());
      }
    }
    return response;
  }

  private static FullHttpResponse bareError(HttpResponseStatus status, String message) {
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            status,
            Unpooled.wrappedBuffer(message.getBytes(StandardCharsets.UTF_8)));
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, "text/plain; charset=UTF-8");
    response.headers().set(NAME_HEADER, NAME);
    response.headers().set(VERSION_HEADER, VERSION);
    return response;
  }
}
