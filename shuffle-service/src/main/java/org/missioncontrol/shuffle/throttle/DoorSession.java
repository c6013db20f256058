/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.door.DoorMessage;
import org.missioncontrol.shuffle.door.DoorMessage.Ask;
import org.missioncontrol.shuffle.door.DoorMessage.AskFiles;
import org.missioncontrol.shuffle.door.DoorMessage.Failed;
import org.missioncontrol.shuffle.door.DoorMessage.GotFile;
import org.missioncontrol.shuffle.door.DoorMessage.Granted;
import org.missioncontrol.shuffle.door.DoorMessage.Hello;
import org.missioncontrol.shuffle.door.DoorMessage.NoFile;
import org.missioncontrol.shuffle.door.DoorMessage.Ping;
import org.missioncontrol.shuffle.door.DoorMessage.Pong;
import org.missioncontrol.shuffle.door.DoorMessage.Ready;
import org.missioncontrol.shuffle.door.DoorMessage.Release;
import org.missioncontrol.shuffle.door.DoorMessage.Renew;
import org.missioncontrol.shuffle.door.DoorMessage.Withdraw;
import org.missioncontrol.shuffle.throttle.MapFiles.MapFile;
import org.missioncontrol.transport.Connector.Connected;
import org.missioncontrol.transport.linux.PassedSockets;

/**
 * An authenticated task attempt, on its control socket, which is its sign of life: when it closes,
 * everything comes back. Event-loop confined.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a line that cannot be written closes the socket
final class DoorSession extends SimpleChannelInboundHandler<DoorMessage> {
  /** Far above what a reducer asks for at once. */
  static final int MAX_WAITING = 256;

  /** Far below what fits into the descriptor socket, and far above what a reducer asks for. */
  static final int MAX_FILES = 4 * AskFiles.MOST;

  private final long id;
  private final Hello hello;
  private final Channel control;
  private final LeaseDesk desk;
  private final FileDesk files;
  private final Refusals refusals;
  private final Map<Long, Ask> asks = new HashMap<>();
  private int filesAsked;
  private @Nullable Channel descriptors;

  DoorSession(
      long id, Hello hello, Channel control, LeaseDesk desk, FileDesk files, Refusals refusals) {
    this.id = id;
    this.hello = hello;
    this.control = control;
    this.desk = desk;
    this.files = files;
    this.refusals = refusals;
  }

  long id() {
    return id;
  }

  String job() {
    return hello.job();
  }

  String attempt() {
    return hello.attempt();
  }

  boolean attached() {
    return descriptors != null;
  }

  /** Whether nobody is there to take an answer. Thread-safe. */
  boolean gone() {
    return !control.isActive();
  }

  /** Joins the descriptor socket; from now on flows may be asked for. */
  void attach(Channel socket) {
    descriptors = socket;
    socket.closeFuture().addListener(done -> close());
    if (!control.isActive()) {
      socket.close();
      return;
    }
    desk.opened(this);
    control.writeAndFlush(new Ready(files.port()));
  }

  /** The request that a lease answers, or null if it was withdrawn. */
  @Nullable Ask take(long request) {
    return asks.remove(request);
  }

  /** Tells the task of its connection and passes it. */
  void pass(LeasedConnection connection, Connected connected) {
    Channel socket = descriptors;
    if (socket == null) {
      throw new IllegalStateException("a lease before the descriptor socket of " + attempt());
    }
    control.writeAndFlush(
        new Granted(
            connection.ask().id(),
            connection.lease().id(),
            connected.congestionControl(),
            connected.transport().refusal(),
            connection.transport().name()));
    pass(socket, PassedSockets.descriptor(connected.channel()));
  }

  private boolean pass(Channel socket, Object descriptor) {
    ChannelFuture passed = socket.writeAndFlush(descriptor);
    if (!passed.isSuccess()) {
      // INVARIANT: no descriptor waits in a queue, where its number could come to mean another one.
      socket.close();
      refusals.refuse(control, who() + " does not take its descriptors");
    }
    return passed.isSuccess();
  }

  /** Tells the task of its files, passes them, and closes them here. */
  void opened(long request, List<FileDesk.Answer> answers) {
    filesAsked -= answers.size();
    Channel socket = descriptors;
    boolean taken = socket != null && socket.isActive() && control.isActive();
    for (FileDesk.Answer answer : answers) {
      MapFile file = answer.file();
      if (taken && socket != null) {
        control.write(
            file == null
                ? new NoFile(request, answer.map(), answer.refusal())
                : new GotFile(request, answer.map(), file.partLength(), file.rawLength()));
        if (file != null) {
          taken = pass(socket, file.file().message());
          if (taken) {
            files.passed(file.partLength());
          }
        }
      }
      FileDesk.close(answer);
    }
    control.flush();
  }

  void failed(long request, String reason) {
    control.writeAndFlush(new Failed(request, reason));
  }

  void close() {
    control.close();
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, DoorMessage message) {
    if (descriptors == null) {
      refusals.refuse(control, who() + " speaks before its descriptor socket is there");
    } else if (message instanceof Ask ask) {
      asked(ask);
    } else if (message instanceof Withdraw withdraw) {
      asks.remove(withdraw.id());
      desk.withdraw(this, withdraw.id());
    } else if (message instanceof Renew renew) {
      desk.received(this, renew.received());
      control.writeAndFlush(desk.renew(this, renew.lease()));
    } else if (message instanceof Release release) {
      desk.release(this, release.lease());
    } else if (message instanceof AskFiles ask) {
      askedFiles(ask);
    } else if (message instanceof Ping) {
      control.writeAndFlush(new Pong());
    } else {
      refusals.refuse(control, who() + " may not say " + message.getClass().getSimpleName());
    }
  }

  private void asked(Ask ask) {
    if (asks.size() >= MAX_WAITING) {
      refusals.refuse(control, who() + " waits for more than " + MAX_WAITING + " flows");
      return;
    }
    if (asks.putIfAbsent(ask.id(), ask) != null) {
      refusals.refuse(control, who() + " has two requests of number " + ask.id());
      return;
    }
    desk.received(this, ask.received());
    desk.ask(this, ask.id());
  }

  private void askedFiles(AskFiles ask) {
    filesAsked += ask.maps().size();
    if (filesAsked > MAX_FILES) {
      refusals.refuse(control, who() + " waits for more than " + MAX_FILES + " files");
    } else {
      files.open(this, ask);
    }
  }

  /** A task that asks and does not read would have its answers pile up here. */
  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (!control.isWritable()) {
      refusals.drop(control, who() + " does not read its answers");
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    Channel socket = descriptors;
    if (socket != null) {
      socket.close();
    }
    desk.closed(this);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    refusals.failed(control, who(), cause);
  }

  private String who() {
    return attempt() + " of " + job();
  }
}
