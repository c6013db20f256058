/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.door.DoorHash;
import org.missioncontrol.shuffle.door.DoorMessage;
import org.missioncontrol.shuffle.door.DoorMessage.Attach;
import org.missioncontrol.shuffle.door.DoorMessage.Challenge;
import org.missioncontrol.shuffle.door.DoorMessage.Hello;
import org.missioncontrol.shuffle.door.DoorMessage.Proof;
import org.missioncontrol.shuffle.door.DoorMessage.Welcome;
import org.missioncontrol.transport.linux.DomainSockets;

/**
 * Finds out who has connected: a task attempt that knows its job's secret, or the second socket of
 * one. Makes place for {@link DoorSession} or closes. Event-loop confined, one per socket.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a line that cannot be written closes the socket
final class DoorGreeter extends SimpleChannelInboundHandler<DoorMessage> {
  private final Greeted greeted;
  private final Refusals refusals;
  private @Nullable Hello hello;
  private @Nullable SecretKey secret;
  private String nonce = "";
  private int user;
  private boolean arrived;
  private @Nullable ScheduledFuture<?> timer;

  DoorGreeter(Greeted greeted, Refusals refusals) {
    this.greeted = greeted;
    this.refusals = refusals;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    Channel channel = context.channel();
    timer =
        context
            .executor()
            .schedule(
                () -> {
                  DoorSession session = channel.pipeline().get(DoorSession.class);
                  boolean joined = channel.pipeline().get(Descriptors.class) != null;
                  if (!joined && (session == null || !session.attached())) {
                    refusals.refuse(channel, "somebody who did not say who it is in time");
                  }
                },
                greeted.timeoutMs(),
                TimeUnit.MILLISECONDS);
    user = DomainSockets.peerUser(channel);
    String refusal = greeted.strangers().arrived(user);
    arrived = true;
    if (refusal != null) {
      refusals.refuse(channel, refusal);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    ScheduledFuture<?> running = timer;
    if (running != null) {
      running.cancel(false);
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    if (arrived) {
      greeted.strangers().gone(user);
    }
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, DoorMessage message)
      throws IOException {
    if (message instanceof Hello first && hello == null) {
      challenge(context, first);
    } else if (message instanceof Proof proof && hello != null && secret != null) {
      welcome(context, hello, secret, proof);
    } else if (message instanceof Attach attach && hello == null) {
      attach(context, attach);
    } else {
      refusals.refuse(
          context.channel(), message.getClass().getSimpleName() + " where a greeting belongs");
    }
  }

  private void challenge(ChannelHandlerContext context, Hello first) throws IOException {
    SecretKey key = greeted.secret(first.job());
    if (first.version() != DoorMessage.VERSION) {
      refuseVersion(context, first.version());
    } else if (key == null) {
      refusals.refuse(context.channel(), first.attempt() + " of " + first.job() + ": unknown job");
    } else {
      hello = first;
      secret = key;
      nonce = DoorHash.nonce();
      context.writeAndFlush(new Challenge(nonce, DoorHash.ofNodeManager(first, nonce, key)));
    }
  }

  private void welcome(ChannelHandlerContext context, Hello first, SecretKey key, Proof proof)
      throws IOException {
    if (!DoorHash.isOfTask(proof.hash(), first, nonce, key)) {
      refusals.refuse(
          context.channel(), first.attempt() + " does not know the secret of " + first.job());
      return;
    }
    String refusal = greeted.refusal(first.job());
    if (refusal != null) {
      refusals.refuse(context.channel(), first.attempt() + ": " + refusal);
      return;
    }
    String token = DoorHash.nonce();
    DoorSession session = greeted.welcome(first, context.channel(), token);
    context.writeAndFlush(new Welcome(token));
    context.pipeline().replace(this, "session", session);
  }

  private void attach(ChannelHandlerContext context, Attach attach) {
    if (attach.version() != DoorMessage.VERSION) {
      refuseVersion(context, attach.version());
      return;
    }
    DoorSession session = greeted.session(attach.token());
    if (session == null) {
      refusals.refuse(context.channel(), "a descriptor socket that belongs to no session");
      return;
    }
    context.pipeline().replace(this, "descriptors", new Descriptors());
    session.attach(context.channel());
  }

  private void refuseVersion(ChannelHandlerContext context, int version) {
    refusals.refuse(
        context.channel(),
        "version " + version + " of the door; here it is " + DoorMessage.VERSION);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    refusals.failed(context.channel(), "a stranger", cause);
  }

  /** On a descriptor socket nothing more comes in. */
  private static final class Descriptors extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ReferenceCountUtil.release(message);
      context.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      context.close();
    }
  }
}
