/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.flow;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.door.DoorMessage;
import org.missioncontrol.shuffle.door.DoorMessage.Ask;
import org.missioncontrol.shuffle.door.DoorMessage.Failed;
import org.missioncontrol.shuffle.door.DoorMessage.Granted;
import org.missioncontrol.shuffle.door.DoorMessage.Release;
import org.missioncontrol.shuffle.door.DoorMessage.Renew;
import org.missioncontrol.shuffle.door.DoorMessage.Renewed;
import org.missioncontrol.shuffle.door.DoorMessage.Withdraw;
import org.missioncontrol.transport.Transport;
import org.missioncontrol.transport.TransportChoice;
import org.missioncontrol.transport.linux.PassedSockets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Flows from the NodeManager's door, and plain ones while nobody answers there. A request waits as
 * long as a session lives in which it waits for its share; without one, at most the door's timeout,
 * then it goes to the fallback. A lost session is sought again in the background. Thread-safe; its
 * state is confined to one event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of listeners, whose outcome is what they do
final class DoorFlowSource implements FlowSource {
  private static final Logger LOG = LoggerFactory.getLogger(DoorFlowSource.class);
  private static final long RETRY_FIRST_MS = 200;
  private static final long RETRY_LAST_MS = 10_000;

  /** Where requests go. */
  private enum Mode {
    /** Nowhere yet: they wait for a session, but not for long. */
    SEEKING,
    LEASED,
    PLAIN,
    CLOSED
  }

  private final EventLoopGroup loops;
  private final EventLoop loop;
  private final DoorFinder finder;
  private final TaskIdentity task;
  private final Transport transport;
  private final int connectTimeoutMs;
  private final long doorTimeoutMs;
  private final Supplier<FlowSource> fallbacks;
  private final FlowCounters counters;

  // All below is confined to the event loop.
  private final Map<Long, FlowRequest> waiting = new LinkedHashMap<>();
  private final Set<LeasedFlow> flows = new HashSet<>();
  private final Renewals renewals = new Renewals();
  private volatile Mode mode = Mode.SEEKING;
  private @Nullable FlowSource fallback;
  private @Nullable DoorLink link;
  private @Nullable ScheduledFuture<?> patience;
  private @Nullable ScheduledFuture<?> retry;
  private long retryMs = RETRY_FIRST_MS;
  private long requests;

  /**
   * @param connectTimeoutMs milliseconds that the NodeManager may take to connect
   * @param doorTimeoutMs milliseconds without an answer after which plain sockets are opened
   * @param fallbacks makes the source of plain flows when it is needed; closed with this one
   */
  DoorFlowSource(
      EventLoopGroup loops,
      DoorFinder finder,
      TaskIdentity task,
      Transport transport,
      int connectTimeoutMs,
      long doorTimeoutMs,
      Supplier<FlowSource> fallbacks,
      FlowCounters counters) {
    this.loops = loops;
    this.loop = loops.next();
    this.finder = finder;
    this.task = task;
    this.transport = transport;
    this.connectTimeoutMs = connectTimeoutMs;
    this.doorTimeoutMs = doorTimeoutMs;
    this.fallbacks = fallbacks;
    this.counters = counters;
    loop.execute(() -> seek("no answer at the NodeManager's door"));
  }

  @Override
  public CompletableFuture<Flow> request(InetSocketAddress host, ChannelHandler initializer) {
    CompletableFuture<Flow> result = new CompletableFuture<>();
    try {
      loop.execute(() -> admit(new FlowRequest(host, initializer, result)));
    } catch (RejectedExecutionException e) {
      result.completeExceptionally(new FlowException("the event loop is gone", e));
    }
    return result;
  }

  private void admit(FlowRequest request) {
    if (mode == Mode.CLOSED) {
      request.refuseBecauseClosed();
    } else if (mode == Mode.PLAIN) {
      openPlain(request);
    } else {
      long id = ++requests;
      waiting.put(id, request);
      request.result().whenComplete((flow, failure) -> onLoop(() -> withdraw(id)));
      if (mode == Mode.LEASED) {
        ask(id, request);
      }
    }
  }

  private void ask(long id, FlowRequest request) {
    send(
        new Ask(
            id,
            request.host().getHostString(),
            request.host().getPort(),
            transport.name(),
            connectTimeoutMs));
  }

  private void withdraw(long id) {
    if (waiting.remove(id) != null) {
      send(new Withdraw(id));
    }
  }

  private void send(DoorMessage message) {
    if (link != null && mode == Mode.LEASED) {
      link.send(message);
    }
  }

  /** Without a session: for a while requests wait, then they go the plain way. */
  private void seek(String reason) {
    mode = Mode.SEEKING;
    patience =
        loop.schedule(
            () -> {
              if (mode == Mode.SEEKING) {
                goPlain(reason + " within " + doorTimeoutMs + " ms");
              }
            },
            doorTimeoutMs,
            TimeUnit.MILLISECONDS);
    connect();
  }

  private void connect() {
    retry = null;
    if (mode == Mode.CLOSED || link != null) {
      return;
    }
    try {
      Path socket = finder.find();
      if (socket != null) {
        LinkEvents events = new LinkEvents();
        DoorLink opening = new DoorLink(loop, socket, task, doorTimeoutMs, events);
        events.of = opening;
        link = opening;
        opening.open();
        return;
      }
      if (mode == Mode.SEEKING) {
        goPlain("this NodeManager has no door");
      }
    } catch (IOException e) {
      LOG.debug("cannot look for the door", e);
    }
    retryLater();
  }

  private void retryLater() {
    if (mode != Mode.CLOSED && retry == null) {
      retry = loop.schedule(this::connect, retryMs, TimeUnit.MILLISECONDS);
      retryMs = Math.min(2 * retryMs, RETRY_LAST_MS);
    }
  }

  private void goPlain(String reason) {
    mode = Mode.PLAIN;
    LOG.warn("{}: {} opens plain connections", reason, task.attempt());
    List<FlowRequest> orphans = List.copyOf(waiting.values());
    waiting.clear();
    orphans.forEach(this::openPlain);
  }

  private void openPlain(FlowRequest request) {
    FlowSource plain = fallback;
    if (plain == null) {
      plain = fallbacks.get();
      fallback = plain;
    }
    CompletableFuture<Flow> opening = plain.request(request.host(), request.initializer());
    request.result().whenComplete((flow, failure) -> opening.cancel(false));
    opening.whenComplete(
        (flow, failure) -> {
          if (flow == null) {
            request.fail(failure);
          } else {
            request.give(new FallbackFlow(flow, () -> mode != Mode.LEASED));
          }
        });
  }

  CompletableFuture<Boolean> renew(LeasedFlow flow) {
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    boolean asked =
        onLoop(
            () -> {
              if (link != flow.link() || mode != Mode.LEASED || !flow.channel().isActive()) {
                answer.complete(false);
                return;
              }
              renewals.ask(flow.lease()).thenAccept(answer::complete);
              send(new Renew(flow.lease()));
            });
    if (!asked) {
      answer.complete(false);
    }
    return answer;
  }

  private final class LinkEvents implements DoorLink.Events {
    private @Nullable DoorLink of;

    @Override
    public void ready() {
      LOG.info("{} gets its connections from the NodeManager", task.attempt());
      mode = Mode.LEASED;
      retryMs = RETRY_FIRST_MS;
      stop(patience);
      waiting.forEach(DoorFlowSource.this::ask);
    }

    @Override
    public void granted(Granted granted, Object descriptor) {
      if (of != null) {
        adopt(of, granted, descriptor);
      }
    }

    @Override
    public void answered(DoorMessage answer) {
      if (answer instanceof Failed failed) {
        FlowRequest request = waiting.remove(failed.id());
        if (request != null) {
          request.fail(new FlowException(failed.reason()));
        }
      } else if (answer instanceof Renewed renewed) {
        renewals.answer(renewed.lease(), renewed.granted());
      }
    }

    @Override
    public void lost(String reason, boolean refused) {
      link = null;
      renewals.denyAll();
      if (mode == Mode.LEASED) {
        LOG.info("{} has lost its session: {}", task.attempt(), reason);
        seek(reason + ", and no new session");
      } else {
        if (mode == Mode.SEEKING && refused) {
          goPlain(reason);
        }
        LOG.debug("no session: {}", reason);
        retryLater();
      }
    }
  }

  private void adopt(DoorLink from, Granted granted, Object descriptor) {
    FlowRequest request = waiting.remove(granted.id());
    if (request == null) {
      try {
        PassedSockets.discard(descriptor);
      } catch (IOException e) {
        LOG.warn("cannot close a connection that came too late", e);
      }
      from.send(new Release(granted.lease()));
      return;
    }
    Channel channel = PassedSockets.adopt(descriptor);
    // Once registered it may be read to its end and closed before anybody hears of it, which is
    // fine.
    boolean sound = channel.isActive();
    channel.pipeline().addLast(request.initializer());
    TransportChoice choice =
        new TransportChoice(
            transport,
            granted.refusal() == null ? transport : Transport.DEFAULT,
            granted.refusal());
    LeasedFlow flow =
        new LeasedFlow(channel, choice, granted.congestionControl(), granted.lease(), from, this);
    flows.add(flow);
    channel
        .closeFuture()
        .addListener(
            closed ->
                onLoop(
                    () -> {
                      flows.remove(flow);
                      from.send(new Release(flow.lease()));
                    }));
    loops
        .next()
        .register(channel)
        .addListener(
            registered -> {
              if (!sound || !registered.isSuccess()) {
                String failure =
                    "the connection to " + request.host() + " was lost on its way here";
                request.fail(
                    registered.isSuccess()
                        ? new FlowException(failure)
                        : new FlowException(failure, registered.cause()));
                flow.close();
                return;
              }
              counters.opened(flow);
              request.give(flow);
            });
  }

  @Override
  public void close() {
    onLoop(this::closeAll);
  }

  private void closeAll() {
    if (mode == Mode.CLOSED) {
      return;
    }
    mode = Mode.CLOSED;
    stop(patience);
    stop(retry);
    List.copyOf(waiting.values()).forEach(FlowRequest::refuseBecauseClosed);
    waiting.clear();
    List.copyOf(flows).forEach(Flow::close);
    renewals.denyAll();
    if (link != null) {
      link.close();
    }
    if (fallback != null) {
      fallback.close();
    }
  }

  private static void stop(@Nullable ScheduledFuture<?> timer) {
    if (timer != null) {
      timer.cancel(false);
    }
  }

  /** False if the event loop is gone, and everything with it. */
  private boolean onLoop(Runnable task) {
    try {
      if (loop.inEventLoop()) {
        task.run();
      } else {
        loop.execute(task);
      }
      return true;
    } catch (RejectedExecutionException e) {
      LOG.debug("the event loop is gone", e);
      return false;
    }
  }
}
