/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.util.function.ToIntFunction;
import javax.crypto.SecretKey;
import org.missioncontrol.scheduler.security.JobHash;
import org.missioncontrol.scheduler.security.JobSecrets;

/**
 * Lets through who knows the job's secret: the hash covers the listening port and the URI. What is
 * to be encrypted is refused to a connection in clear. Event-loop confined.
 */
final class Authenticator extends SimpleChannelInboundHandler<ShuffleRequest> {
  private final JobSecrets secrets;
  private final ToIntFunction<Channel> port;
  private final ConnectionState state;
  private final ServerEvents events;

  Authenticator(
      JobSecrets secrets, ToIntFunction<Channel> port, ConnectionState state, ServerEvents events) {
    this.secrets = secrets;
    this.port = port;
    this.state = state;
    this.events = events;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, ShuffleRequest request)
      throws IOException, Refusal {
    ctx.fireChannelRead(authenticate(request, port.applyAsInt(ctx.channel())));
  }

  private AuthenticatedRequest authenticate(ShuffleRequest request, int port)
      throws IOException, Refusal {
    SecretKey secret = secrets.secret(request.job());
    String user = secrets.user(request.job());
    if (secret == null || user == null) {
      throw unauthorized("Can't find job token for job " + request.job() + " !!");
    }
    String urlHash = request.urlHash();
    if (urlHash == null) {
      throw unauthorized("fetcher cannot be authenticated");
    }
    if (!JobHash.matches(urlHash, port + withoutFragment(request.uri()), secret)) {
      throw unauthorized("Verification of the hashReply failed");
    }
    if (request.encryptedOnly() && !state.encrypted()) {
      events.count(ServerCounter.CLEAR_REQUESTS_REFUSED, 1);
      throw new Refusal(
          HttpResponseStatus.FORBIDDEN,
          "the map outputs of " + request.job() + " travel encrypted only");
    }
    return new AuthenticatedRequest(request, user, JobHash.of(urlHash, secret), null);
  }

  /** As java.net.URL cuts it, with which the other side computes. */
  private static String withoutFragment(String uri) {
    int fragment = uri.indexOf('#');
    return fragment < 0 ? uri : uri.substring(0, fragment);
  }

  private static Refusal unauthorized(String message) {
    return new Refusal(HttpResponseStatus.UNAUTHORIZED, message);
  }
}
