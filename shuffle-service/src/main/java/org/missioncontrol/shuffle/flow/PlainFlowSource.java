/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.flow;

import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoopGroup;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.transport.Channels;
import org.missioncontrol.transport.Connector;
import org.missioncontrol.transport.Connector.Connected;
import org.missioncontrol.transport.HostNames;
import org.missioncontrol.transport.Transport;

/**
 * Sockets that the reducer opens itself, as stock does: at most so many at once, nobody is asked.
 * Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of listeners, whose outcome is the result's
public final class PlainFlowSource implements FlowSource {
  private static final int RESOLVER_THREADS = 2;

  private final EventLoopGroup loops;
  private final Transport transport;
  private final int parallel;
  private final int connectTimeoutMs;
  private final FlowCounters counters;
  private final HostNames names;
  private final Connector connector;

  private final Object lock = new Object();
  // All below is guarded by lock. A request is in exactly one of the two collections.
  private final Queue<FlowRequest> waiting = new ArrayDeque<>();
  private final Set<FlowRequest> connecting = new HashSet<>();
  private final Set<Flow> open = new HashSet<>();
  private boolean closed;

  /**
   * @param loops run the connections; stay the caller's
   * @param parallel most flows open or being opened at once
   * @param connectTimeoutMs milliseconds for one attempt, look-up of the name included, at most
   *     {@link Connector#TRY_MAX_MS}; 0: that
   */
  public PlainFlowSource(
      Channels channels,
      EventLoopGroup loops,
      Transport transport,
      int parallel,
      int connectTimeoutMs,
      FlowCounters counters) {
    this.loops = loops;
    this.transport = transport;
    this.parallel = parallel;
    this.connectTimeoutMs = connectTimeoutMs;
    this.counters = counters;
    this.names = new HostNames(RESOLVER_THREADS, "mission-control-names");
    this.connector = new Connector(channels, names);
  }

  @Override
  public CompletableFuture<Flow> request(InetSocketAddress host, ChannelHandler initializer) {
    FlowRequest request = new FlowRequest(host, initializer, new CompletableFuture<>());
    synchronized (lock) {
      if (closed) {
        request.refuseBecauseClosed();
        return request.result();
      }
      waiting.add(request);
    }
    request.result().whenComplete((flow, failure) -> withdrawn(request));
    connectWhatMay();
    return request.result();
  }

  private void withdrawn(FlowRequest request) {
    synchronized (lock) {
      waiting.remove(request);
    }
  }

  private void connectWhatMay() {
    for (FlowRequest next = nextToConnect(); next != null; next = nextToConnect()) {
      FlowRequest request = next;
      CompletableFuture<Connected> attempt =
          connector.connect(
              loops.next(),
              request.host(),
              transport,
              Connector.tryMs(connectTimeoutMs),
              request.initializer());
      request.result().whenComplete((flow, failure) -> attempt.cancel(false));
      attempt.whenComplete((connected, failure) -> ended(request, connected, failure));
    }
  }

  private @Nullable FlowRequest nextToConnect() {
    synchronized (lock) {
      if (closed || connecting.size() + open.size() >= parallel) {
        return null;
      }
      FlowRequest request = waiting.poll();
      if (request != null) {
        connecting.add(request);
      }
      return request;
    }
  }

  private void ended(
      FlowRequest request, @Nullable Connected connected, @Nullable Throwable failure) {
    if (connected == null) {
      synchronized (lock) {
        connecting.remove(request);
      }
      request.fail(new FlowException("cannot connect to " + request.host(), causeOf(failure)));
      connectWhatMay();
      return;
    }
    Flow flow = new PlainFlow(connected);
    boolean late;
    synchronized (lock) {
      connecting.remove(request);
      open.add(flow);
      late = closed;
    }
    flow.channel().closeFuture().addListener(done -> closed(flow));
    if (late || request.result().isDone()) {
      flow.close();
      request.refuseBecauseClosed();
      return;
    }
    counters.opened(flow);
    request.give(flow);
  }

  private void closed(Flow flow) {
    synchronized (lock) {
      open.remove(flow);
    }
    connectWhatMay();
  }

  @Override
  public void close() {
    List<FlowRequest> requests = new ArrayList<>();
    List<Flow> flows;
    synchronized (lock) {
      if (closed) {
        return;
      }
      closed = true;
      requests.addAll(waiting);
      requests.addAll(connecting);
      waiting.clear();
      flows = List.copyOf(open);
    }
    requests.forEach(FlowRequest::refuseBecauseClosed);
    flows.forEach(Flow::close);
    names.close();
  }

  private static Throwable causeOf(@Nullable Throwable failure) {
    return failure == null ? new IllegalStateException("neither flow nor failure") : failure;
  }
}
