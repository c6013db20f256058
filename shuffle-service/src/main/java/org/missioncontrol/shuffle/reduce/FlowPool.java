/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.flow.Flow;
import org.missioncontrol.shuffle.flow.FlowException;
import org.missioncontrol.shuffle.flow.FlowSource;

/** The flows that a reducer holds and those it has asked for. Owned by the reduce thread. */
final class FlowPool {
  /** Hears of requests on the reduce thread. */
  interface Listener {
    void granted(Conversation conversation);

    /** No connection could be made. */
    void unreachable(MapServer server, FlowException why);
  }

  private record Request(Conversation conversation, CompletableFuture<Flow> answer) {}

  private final FlowSource source;
  private final Function<MapServer, Conversation> conversations;
  private final Inbox inbox;
  private final Listener listener;
  private final Map<MapServer, Deque<Request>> requests = new LinkedHashMap<>();
  private final Set<Conversation> held = new LinkedHashSet<>();

  FlowPool(
      FlowSource source,
      Function<MapServer, Conversation> conversations,
      Inbox inbox,
      Listener listener) {
    this.source = source;
    this.conversations = conversations;
    this.inbox = inbox;
    this.listener = listener;
  }

  /** Flows held, by host. */
  Map<MapServer, Integer> active() {
    Map<MapServer, Integer> active = new LinkedHashMap<>();
    held.forEach(conversation -> active.merge(conversation.server(), 1, Integer::sum));
    return active;
  }

  /** Whether a flow that was granted before reaches the same host over all paths already. */
  boolean superfluous(Conversation conversation) {
    return isMultipath(conversation)
        && !held.stream()
            .filter(one -> one.server().equals(conversation.server()) && isMultipath(one))
            .findFirst()
            .equals(Optional.of(conversation));
  }

  private static boolean isMultipath(Conversation conversation) {
    return conversation.flow().transport().used().isMultipath();
  }

  /** Hosts to which a flow is held that has MPTCP: its subflows are what several flows would be. */
  Set<MapServer> multipath() {
    return held.stream()
        .filter(FlowPool::isMultipath)
        .map(Conversation::server)
        .collect(Collectors.toSet());
  }

  /** Flows asked for, by host. */
  Map<MapServer, Integer> requested() {
    Map<MapServer, Integer> requested = new LinkedHashMap<>();
    requests.forEach((server, waiting) -> requested.put(server, waiting.size()));
    return requested;
  }

  /** Whether this flow is held and has not been {@link #release released}. */
  boolean holds(Conversation conversation) {
    return held.contains(conversation);
  }

  /** Flows held and asked for at one host. */
  int flows(MapServer server) {
    Deque<Request> waiting = requests.get(server);
    return (waiting == null ? 0 : waiting.size())
        + (int) held.stream().filter(one -> one.server().equals(server)).count();
  }

  /** Withdraws requests and makes new ones until each host has what is wanted. */
  void adjust(Map<MapServer, Integer> wanted) {
    Map<MapServer, Integer> active = active();
    for (MapServer server : List.copyOf(requests.keySet())) {
      int most = wanted.getOrDefault(server, 0) - active.getOrDefault(server, 0);
      withdraw(server, Math.max(0, most));
    }
    wanted.forEach(
        (server, flows) -> {
          for (int missing = flows - flows(server); missing > 0; missing--) {
            request(server);
          }
        });
  }

  private void withdraw(MapServer server, int most) {
    Deque<Request> waiting = requests.getOrDefault(server, new ArrayDeque<>());
    while (waiting.size() > most) {
      Request last = waiting.removeLast();
      last.answer().cancel(false);
      last.conversation().close();
    }
    if (waiting.isEmpty()) {
      requests.remove(server);
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // of the continuation, which cannot fail
  private void request(MapServer server) {
    Conversation conversation = conversations.apply(server);
    Request request =
        new Request(conversation, source.request(server.address(), conversation.initializer()));
    requests.computeIfAbsent(server, key -> new ArrayDeque<>()).addLast(request);
    request
        .answer()
        .whenComplete((flow, failure) -> inbox.post(new Answer(request, flow, failure)));
  }

  private final class Answer implements Inbox.Step {
    private final Request request;
    private final @Nullable Flow flow;
    private final @Nullable Throwable failure;

    Answer(Request request, @Nullable Flow flow, @Nullable Throwable failure) {
      this.request = request;
      this.flow = flow;
      this.failure = failure;
    }

    @Override
    public void take() {
      MapServer server = request.conversation().server();
      Deque<Request> waiting = requests.get(server);
      if (waiting == null || !waiting.remove(request)) {
        discard();
        return;
      }
      if (waiting.isEmpty()) {
        requests.remove(server);
      }
      if (flow != null) {
        request.conversation().attach(flow);
        held.add(request.conversation());
        listener.granted(request.conversation());
      } else {
        listener.unreachable(server, reason(server));
      }
    }

    private FlowException reason(MapServer server) {
      Throwable cause = failure;
      if (cause instanceof CompletionException && cause.getCause() != null) {
        cause = cause.getCause();
      }
      return cause instanceof FlowException known
          ? known
          : new FlowException(
              "no connection to " + server + ": " + cause,
              cause == null ? new IllegalStateException("no flow and no reason") : cause);
    }

    @Override
    public void discard() {
      if (flow != null) {
        flow.close();
      }
    }
  }

  /** Closes a flow that is held and gives it back. */
  void release(Conversation conversation) {
    held.remove(conversation);
    conversation.close();
  }

  /** Closes and withdraws everything. */
  void close() {
    List.copyOf(requests.keySet()).forEach(server -> withdraw(server, 0));
    new ArrayList<>(held).forEach(this::release);
  }
}
