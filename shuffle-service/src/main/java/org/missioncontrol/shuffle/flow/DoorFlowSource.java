/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.flow;

import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.door.DoorMessage;
import org.missioncontrol.shuffle.door.DoorMessage.Ask;
import org.missioncontrol.shuffle.door.DoorMessage.Failed;
import org.missioncontrol.shuffle.door.DoorMessage.GotFile;
import org.missioncontrol.shuffle.door.DoorMessage.Granted;
import org.missioncontrol.shuffle.door.DoorMessage.NoFile;
import org.missioncontrol.shuffle.door.DoorMessage.Renewed;
import org.missioncontrol.shuffle.door.DoorMessage.Withdraw;
import org.missioncontrol.transport.Transport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Flows from the NodeManager's door, and plain ones while nobody answers there. A request waits as
 * long as a session lives in which it waits for its share; without one, at most the door's timeout,
 * then it goes to the fallback. A lost session is sought again in the background; one that is only
 * silent is kept, with the transfers under way, until the NodeManager speaks again. Thread-safe;
 * its state is confined to one event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of listeners, whose outcome is what they do
final class DoorFlowSource implements FlowSource {
  private static final Logger LOG = LoggerFactory.getLogger(DoorFlowSource.class);

  /**
   * How long the NodeManager may take, milliseconds. Immutable.
   *
   * @param connectMs to connect
   * @param doorMs to give any sign of life; then plain sockets are opened
   * @param filesMs to pass the files of one request
   */
  record Timeouts(int connectMs, long doorMs, long filesMs) {}

  /** Where requests go. */
  private enum Mode {
    /** Nowhere yet: they wait for a session, but not for long. */
    SEEKING,
    LEASED,
    PLAIN,
    CLOSED
  }

  private final EventLoop loop;
  private final TaskIdentity task;
  private final Transport transport;
  private final Timeouts timeouts;
  private final FlowCounters counters;
  private final DoorKeeper keeper;
  private final LentFlows lent;
  private final PlainDetour detour;
  private final DoorFiles files;

  // All below is confined to the event loop.
  private final Map<Long, FlowRequest> waiting = new LinkedHashMap<>();
  private volatile Mode mode = Mode.SEEKING;
  private @Nullable ScheduledFuture<?> patience;
  private boolean doorSeen;
  private long requests;

  /**
   * @param fallbacks makes the source of plain flows when it is needed; closed with this one
   */
  DoorFlowSource(
      EventLoopGroup loops,
      DoorFinder finder,
      TaskIdentity task,
      Transport transport,
      Timeouts timeouts,
      Supplier<FlowSource> fallbacks,
      FlowCounters counters) {
    this.loop = loops.next();
    this.task = task;
    this.transport = transport;
    this.timeouts = timeouts;
    this.counters = counters;
    this.lent = new LentFlows(loops, loop, transport, counters);
    this.detour = new PlainDetour(fallbacks, () -> mode != Mode.LEASED);
    this.files = new DoorFiles(loop, this::send, timeouts.filesMs());
    Session session = new Session();
    this.keeper =
        new DoorKeeper(
            loop,
            finder,
            socket -> new DoorLink(loop, socket, task, timeouts.doorMs(), session),
            () -> doubt("this NodeManager has no door"));
    loop.execute(() -> seek("no answer at the NodeManager's door"));
  }

  @Override
  public CompletableFuture<Flow> request(InetSocketAddress host, ChannelHandler initializer) {
    FlowRequest request = new FlowRequest(host, initializer, new CompletableFuture<>());
    if (!LoopTasks.run(loop, () -> admit(request))) {
      request.fail(new FlowException("the event loop is gone"));
    }
    return request.result();
  }

  @Override
  public LocalFiles files() {
    return files;
  }

  private void admit(FlowRequest request) {
    switch (mode) {
      case CLOSED -> request.refuseBecauseClosed();
      case PLAIN -> detour.open(request);
      case SEEKING, LEASED -> {
        long id = ++requests;
        waiting.put(id, request);
        request.result().whenComplete((flow, failure) -> LoopTasks.run(loop, () -> withdraw(id)));
        if (mode == Mode.LEASED) {
          ask(id, request);
        }
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
            timeouts.connectMs(),
            counters.receivedBytes()));
  }

  private void withdraw(long id) {
    if (waiting.remove(id) != null && mode == Mode.LEASED) {
      send(new Withdraw(id));
    }
  }

  private void send(DoorMessage message) {
    DoorLink link = keeper.link();
    if (link != null) {
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
                goPlain(reason + " within " + timeouts.doorMs() + " ms");
              }
            },
            timeouts.doorMs(),
            TimeUnit.MILLISECONDS);
    keeper.seek();
  }

  /** No door for us: final, unless there was one before, for then it may come back. */
  private void doubt(String reason) {
    if (mode == Mode.SEEKING && !doorSeen) {
      goPlain(reason);
    }
  }

  private void goPlain(String reason) {
    mode = Mode.PLAIN;
    files.lost(reason);
    LOG.warn("{}: {} opens plain connections", reason, task.attempt());
    List<FlowRequest> orphans = List.copyOf(waiting.values());
    waiting.clear();
    orphans.forEach(detour::open);
  }

  /** What becomes of the session of the moment. */
  private final class Session implements DoorLink.Events {
    @Override
    public void ready() {
      LOG.info("{} gets its connections from the NodeManager", task.attempt());
      mode = Mode.LEASED;
      doorSeen = true;
      keeper.found();
      stop(patience);
      openFiles();
      waiting.forEach(DoorFlowSource.this::ask);
    }

    private void openFiles() {
      DoorLink link = keeper.link();
      files.found(link == null ? 0 : link.files());
    }

    @Override
    public void granted(DoorLink from, Granted granted, Object descriptor) {
      lent.arrived(from, granted, descriptor, waiting.remove(granted.id()));
    }

    @Override
    public void opened(GotFile file, Object descriptor) {
      files.came(file, descriptor);
    }

    @Override
    public void answered(DoorMessage answer) {
      if (answer instanceof Failed failed) {
        FlowRequest request = waiting.remove(failed.id());
        if (request != null) {
          request.fail(new FlowException(failed.reason()));
        }
      } else if (answer instanceof Renewed renewed) {
        lent.answered(renewed);
      } else if (answer instanceof NoFile none) {
        files.refused(none);
      }
    }

    @Override
    public void silent(String reason) {
      lent.denyRenewals();
      waiting.keySet().forEach(id -> send(new Withdraw(id)));
      goPlain(reason);
    }

    @Override
    public void spoke() {
      LOG.info("{} hears from the NodeManager again", task.attempt());
      mode = Mode.LEASED;
      openFiles();
    }

    @Override
    public void lost(String reason, boolean refused) {
      keeper.lost();
      files.lost(reason);
      lent.denyRenewals();
      if (mode == Mode.LEASED) {
        LOG.info("{} has lost its session: {}", task.attempt(), reason);
        seek(reason + ", and no new session");
        return;
      }
      LOG.debug("no session: {}", reason);
      if (refused) {
        doubt(reason);
      }
      keeper.seekLater();
    }
  }

  @Override
  public void close() {
    LoopTasks.run(loop, this::closeAll);
  }

  private void closeAll() {
    if (mode == Mode.CLOSED) {
      return;
    }
    mode = Mode.CLOSED;
    stop(patience);
    List.copyOf(waiting.values()).forEach(FlowRequest::refuseBecauseClosed);
    waiting.clear();
    lent.close();
    files.lost("the reducer stops");
    keeper.stop();
    detour.close();
  }

  private static void stop(@Nullable ScheduledFuture<?> timer) {
    if (timer != null) {
      timer.cancel(false);
    }
  }
}
