/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.flow;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.door.DoorCodec;
import org.missioncontrol.shuffle.door.DoorHash;
import org.missioncontrol.shuffle.door.DoorMessage;
import org.missioncontrol.shuffle.door.DoorMessage.Attach;
import org.missioncontrol.shuffle.door.DoorMessage.Challenge;
import org.missioncontrol.shuffle.door.DoorMessage.GotFile;
import org.missioncontrol.shuffle.door.DoorMessage.Granted;
import org.missioncontrol.shuffle.door.DoorMessage.Hello;
import org.missioncontrol.shuffle.door.DoorMessage.Ping;
import org.missioncontrol.shuffle.door.DoorMessage.Pong;
import org.missioncontrol.shuffle.door.DoorMessage.Proof;
import org.missioncontrol.shuffle.door.DoorMessage.Ready;
import org.missioncontrol.shuffle.door.DoorMessage.Refused;
import org.missioncontrol.shuffle.door.DoorMessage.Welcome;
import org.missioncontrol.transport.linux.DomainSockets;
import org.missioncontrol.transport.linux.PassedSockets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One session at the door, from connecting to its end. Event-loop confined. */
@SuppressWarnings("FutureReturnValueIgnored") // a line that cannot be written closes the socket
final class DoorLink {
  private static final Logger LOG = LoggerFactory.getLogger(DoorLink.class);

  /** Told on the link's event loop. */
  interface Events {
    /** The door is open to us. */
    void ready();

    /**
     * A connection came.
     *
     * @param descriptor to be adopted or discarded
     */
    void granted(DoorLink from, Granted granted, Object descriptor);

    /**
     * A file came.
     *
     * @param descriptor to be adopted or discarded
     */
    void opened(GotFile file, Object descriptor);

    /** Any other answer to what we asked. */
    void answered(DoorMessage answer);

    /**
     * The NodeManager has said nothing for too long. It may stand still; then it goes on with what
     * it was told meanwhile.
     */
    void silent(String reason);

    /** The NodeManager speaks again after it was silent. */
    void spoke();

    /**
     * The link is no more; said once, and nothing after it. Not said after {@link #close}.
     *
     * @param refused whether one of the sides does not want the other, so that waiting helps little
     */
    void lost(String reason, boolean refused);
  }

  private final EventLoop loop;
  private final Path socket;
  private final TaskIdentity task;
  private final Events events;
  private final Hello hello;
  private final ScheduledFuture<?> watch;
  private final Queue<DoorMessage> announced = new ArrayDeque<>();
  private final Queue<Object> descriptors = new ArrayDeque<>();
  private @Nullable Channel control;
  private @Nullable Channel second;
  private boolean heard = true;
  private boolean ready;
  private int files;
  private boolean silent;
  private boolean ended;

  /**
   * Begins to connect.
   *
   * @param silenceMs milliseconds without a sign of life after which a link that is not ready is
   *     given up, and one that is ready is silent
   */
  DoorLink(EventLoop loop, Path socket, TaskIdentity task, long silenceMs, Events events) {
    this.loop = loop;
    this.socket = socket;
    this.task = task;
    this.events = events;
    this.hello = new Hello(DoorMessage.VERSION, task.job(), task.attempt(), DoorHash.nonce());
    this.watch =
        loop.scheduleWithFixedDelay(
            () -> watch(silenceMs), silenceMs, silenceMs, TimeUnit.MILLISECONDS);
  }

  DoorLink open() {
    ChannelFuture connected = connect(new ControlSocket(), false);
    control = connected.channel();
    connected.addListener(
        done -> {
          if (done.isSuccess()) {
            send(hello);
          } else {
            lose("cannot connect to " + socket + ": " + done.cause().getMessage());
          }
        });
    return this;
  }

  void send(DoorMessage message) {
    if (control != null && !ended) {
      control.writeAndFlush(message);
    }
  }

  /** Port whose map outputs can be had here as files; 0: none can. */
  int files() {
    return files;
  }

  /** Whether the NodeManager can be expected to answer. */
  boolean usable() {
    return ready && !silent && !ended;
  }

  /** Ends it without a word; the NodeManager takes everything back. Idempotent. */
  void close() {
    if (ended) {
      return;
    }
    ended = true;
    watch.cancel(false);
    if (control != null) {
      control.close();
    }
    if (second != null) {
      second.close();
    }
    descriptors.forEach(DoorLink::discard);
    descriptors.clear();
  }

  private void lose(String reason) {
    lose(reason, false);
  }

  private void lose(String reason, boolean refused) {
    if (!ended) {
      close();
      events.lost(reason, refused);
    }
  }

  private void watch(long silenceMs) {
    String reason = "no answer from " + socket + " for " + silenceMs + " ms";
    if (heard) {
      heard = false;
      if (ready) {
        send(new Ping());
      }
    } else if (!ready) {
      lose(reason);
    } else if (!silent) {
      silent = true;
      events.silent(reason);
    }
  }

  private void heard(DoorMessage message) throws IOException {
    heard = true;
    if (silent) {
      silent = false;
      events.spoke();
    }
    if (message instanceof Challenge challenge) {
      prove(challenge);
    } else if (message instanceof Welcome welcome) {
      attach(welcome);
    } else if (message instanceof Ready inside) {
      ready = true;
      files = inside.files();
      events.ready();
    } else if (message instanceof Granted || message instanceof GotFile) {
      announced.add(message);
      pair();
    } else if (message instanceof Refused refused) {
      lose("the NodeManager refuses: " + refused.reason(), true);
    } else if (!(message instanceof Pong)) {
      events.answered(message);
    }
  }

  private void prove(Challenge challenge) throws IOException {
    if (!DoorHash.isOfNodeManager(challenge.hash(), hello, challenge.nonce(), task.secret())) {
      lose("whoever listens at " + socket + " does not know the secret of " + task.job(), true);
      return;
    }
    send(new Proof(DoorHash.ofTask(hello, challenge.nonce(), task.secret())));
  }

  private void attach(Welcome welcome) {
    ChannelFuture connected = connect(new DescriptorSocket(), true);
    second = connected.channel();
    connected.addListener(
        done -> {
          if (done.isSuccess()) {
            connected.channel().writeAndFlush(new Attach(DoorMessage.VERSION, welcome.token()));
          } else {
            lose("no second connection to " + socket + ": " + done.cause().getMessage());
          }
        });
  }

  /** The n-th descriptor belongs to the n-th that is announced; either may come first. */
  private void pair() {
    while (!ended && !announced.isEmpty() && !descriptors.isEmpty()) {
      Object descriptor = descriptors.remove();
      DoorMessage message = announced.remove();
      if (message instanceof GotFile file) {
        events.opened(file, descriptor);
      } else if (message instanceof Granted granted) {
        events.granted(this, granted, descriptor);
      }
    }
  }

  private ChannelFuture connect(ChannelHandler handler, boolean receivesDescriptors) {
    Bootstrap bootstrap = new Bootstrap();
    if (receivesDescriptors) {
      DomainSockets.receivingDescriptors(bootstrap);
    }
    return bootstrap
        .group(loop)
        .channel(DomainSockets.clientChannel())
        .handler(
            new ChannelInitializer<>() {
              @Override
              protected void initChannel(Channel channel) {
                if (receivesDescriptors) {
                  DoorCodec.addEncoderTo(channel.pipeline());
                } else {
                  DoorCodec.addTo(channel.pipeline());
                }
                channel.pipeline().addLast(handler);
              }
            })
        .connect(DomainSockets.address(socket));
  }

  private static void discard(Object descriptor) {
    try {
      PassedSockets.discard(descriptor);
    } catch (IOException e) {
      LOG.warn("cannot close a connection that came too late", e);
    }
  }

  private final class ControlSocket extends SimpleChannelInboundHandler<DoorMessage> {
    @Override
    protected void channelRead0(ChannelHandlerContext context, DoorMessage message)
        throws IOException {
      if (!ended) {
        heard(message);
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      lose("the NodeManager has closed " + socket);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      lose("trouble with " + socket + ": " + cause);
    }
  }

  private final class DescriptorSocket extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (!PassedSockets.isDescriptor(message)) {
        context.fireChannelRead(message);
      } else if (ended) {
        discard(message);
      } else {
        descriptors.add(message);
        pair();
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      lose("the NodeManager has closed the descriptor socket at " + socket);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      lose("trouble with the descriptor socket at " + socket + ": " + cause);
    }
  }
}
