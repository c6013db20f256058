/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.util.concurrent.Executor;
import org.missioncontrol.conf.ServerConfig;
import org.missioncontrol.shuffle.store.PageCache;

/** Writes replies, and keeps or closes the connection after each. Event-loop confined. */
final class ReplyWriter extends SimpleChannelInboundHandler<PreparedReply> {
  private final ServerConfig config;
  private final ReplyPreparer preparer;
  private final OutputSender sender;
  private final PageCache pageCache;
  private final Executor disk;
  private final ConnectionState state;
  private final ServerEvents events;

  ReplyWriter(
      ServerConfig config,
      ReplyPreparer preparer,
      OutputSender sender,
      PageCache pageCache,
      Executor disk,
      ConnectionState state,
      ServerEvents events) {
    this.config = config;
    this.preparer = preparer;
    this.sender = sender;
    this.pageCache = pageCache;
    this.disk = disk;
    this.state = state;
    this.events = events;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, PreparedReply reply) {
    long idleMs = idleMs(reply.request().shuffle());
    state.replying(true);
    FireAndForget.write(
        ctx, Replies.outputs(reply.request(), idleMs / 1000, reply.contentLength()));
    new Transmission(ctx, reply, this, idleMs).advance();
  }

  /** How long the next request may take, milliseconds; 0 when the connection is closed instead. */
  private long idleMs(ShuffleRequest request) {
    if (request.extension()) {
      return Math.max(1000, config.idleTimeoutMs());
    }
    return config.keepAlive() || request.keepAlive()
        ? 1000L * Math.max(1, config.keepAliveTimeoutSeconds())
        : 0;
  }

  ReplyPreparer preparer() {
    return preparer;
  }

  OutputSender sender() {
    return sender;
  }

  PageCache pageCache() {
    return pageCache;
  }

  Executor disk() {
    return disk;
  }

  ConnectionState state() {
    return state;
  }

  ServerEvents events() {
    return events;
  }
}
