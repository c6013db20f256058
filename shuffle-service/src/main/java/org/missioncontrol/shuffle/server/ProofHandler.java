/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.IOException;
import java.util.List;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.scheduler.security.JobHash;
import org.missioncontrol.scheduler.security.JobSecrets;
import org.missioncontrol.shuffle.wire.TlsProof;

/**
 * Answers {@link TlsProof}: proves that this end of a TLS connection knows the job's secret. It may
 * be asked by anybody, for it only ever vouches for this server's own key. Event-loop confined.
 */
final class ProofHandler extends ChannelInboundHandlerAdapter {
  private final JobSecrets secrets;
  private final @Nullable NodeKey key;
  private final ConnectionState state;
  private final long idleMs;

  /**
   * @param key null where TLS is not ours
   * @param idleMs milliseconds that the next request may take
   */
  ProofHandler(JobSecrets secrets, @Nullable NodeKey key, ConnectionState state, long idleMs) {
    this.secrets = secrets;
    this.key = key;
    this.state = state;
    this.idleMs = idleMs;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
    if (!(message instanceof FullHttpRequest http)
        || !http.uri().startsWith(TlsProof.PATH + "?")
        || http.decoderResult().isFailure()) {
      ctx.fireChannelRead(message);
      return;
    }
    String uri = http.uri();
    http.release();
    String proof = proof(uri);
    FullHttpResponse response =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    response.headers().set(TlsProof.HEADER, proof);
    HttpUtil.setContentLength(response, 0);
    ctx.writeAndFlush(response)
        .addListener(
            (ChannelFutureListener)
                sent -> {
                  if (sent.isSuccess()) {
                    ctx.pipeline().fireUserEventTriggered(new ReplyDone(idleMs));
                  } else {
                    FireAndForget.close(ctx);
                  }
                });
  }

  private String proof(String uri) throws IOException, Refusal {
    if (key == null || !state.encrypted()) {
      throw bad("this connection is not one of TLS without certificates");
    }
    String job;
    String nonce;
    try {
      QueryStringDecoder query = new QueryStringDecoder(uri);
      job = single(query, TlsProof.JOB);
      nonce = single(query, TlsProof.NONCE);
    } catch (IllegalArgumentException e) {
      throw bad("Bad request parameters");
    }
    if (!TlsProof.isNonce(nonce)) {
      throw bad("Bad nonce");
    }
    SecretKey secret = secrets.secret(job);
    if (secret == null) {
      throw new Refusal(
          HttpResponseStatus.UNAUTHORIZED, "Can't find job token for job " + job + " !!");
    }
    return JobHash.of(TlsProof.message(job, nonce, key.fingerprint()), secret);
  }

  private static String single(QueryStringDecoder query, String name) {
    List<String> values = query.parameters().get(name);
    if (values == null || values.size() != 1) {
      throw new IllegalArgumentException(name);
    }
    return values.get(0);
  }

  private static Refusal bad(String message) {
    return new Refusal(HttpResponseStatus.BAD_REQUEST, message);
  }
}
