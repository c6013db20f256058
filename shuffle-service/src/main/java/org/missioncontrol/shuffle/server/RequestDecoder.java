/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.wire.ShuffleExtension;

/**
 * Turns HTTP into a {@link ShuffleRequest}, with the stock handler's refusals in its order.
 * Event-loop confined.
 */
final class RequestDecoder extends SimpleChannelInboundHandler<FullHttpRequest> {
  /** Most partitions of all map outputs in one request, each of which has a header. */
  private static final int MAX_PARTITIONS = 10_000;

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest http) throws Refusal {
    ctx.fireChannelRead(decode(http));
  }

  static ShuffleRequest decode(FullHttpRequest http) throws Refusal {
    if (!http.method().equals(HttpMethod.GET)) {
      throw new Refusal(HttpResponseStatus.METHOD_NOT_ALLOWED, "");
    }
    HttpHeaders headers = http.headers();
    // A request line or header that is too long comes without headers, so it ends here too.
    if (!Replies.NAME.equals(headers.get(Replies.NAME_HEADER))
        || !Replies.VERSION.equals(headers.get(Replies.VERSION_HEADER))) {
      throw bad("Incompatible shuffle request version");
    }
    Map<String, List<String>> query = query(http.uri());
    List<String> maps = query.get("map");
    List<String> reduces = query.get("reduce");
    List<String> jobs = query.get("job");
    if (maps == null || reduces == null || jobs == null) {
      throw bad("Required param job, map and reduce");
    }
    if (reduces.size() != 1 || jobs.size() != 1) {
      throw bad("Too many job/reduce parameters");
    }
    ReduceRange range = ReduceRange.parse(reduces.get(0));
    List<String> attempts = maps.stream().flatMap(map -> Arrays.stream(map.split(",", 0))).toList();
    if (attempts.isEmpty()) {
      throw bad("Required param job, map and reduce");
    }
    if ((long) attempts.size() * range.count() > MAX_PARTITIONS) {
      throw bad("Too many partitions, more than " + MAX_PARTITIONS);
    }
    boolean extension = ShuffleExtension.VERSION.equals(single(query, ShuffleExtension.NAME));
    return new ShuffleRequest(
        jobs.get(0),
        attempts,
        range,
        Boolean.parseBoolean(single(query, "keepAlive")),
        extension,
        extension ? single(query, ShuffleExtension.TRANSPORT) : null,
        query.containsKey(ShuffleExtension.ENCRYPTED_ONLY),
        http.uri(),
        headers.get(Replies.URL_HASH_HEADER));
  }

  private static Map<String, List<String>> query(String uri) throws Refusal {
    try {
      return new QueryStringDecoder(uri).parameters();
    } catch (IllegalArgumentException e) {
      throw bad("Bad request parameters");
    }
  }

  /** The value of a parameter that is given once, else null. */
  private static @Nullable String single(Map<String, List<String>> query, String name) {
    List<String> values = query.get(name);
    return values != null && values.size() == 1 ? values.get(0) : null;
  }

  private static Refusal bad(String message) {
    return new Refusal(HttpResponseStatus.BAD_REQUEST, message);
  }
}
