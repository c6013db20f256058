/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.door.DoorMessage.Ask;
import org.missioncontrol.shuffle.door.DoorMessage.Renewed;
import org.missioncontrol.transport.Connector;
import org.missioncontrol.transport.Connector.Connected;
import org.missioncontrol.transport.Transport;
import org.missioncontrol.transport.TransportDecision;
import org.missioncontrol.transport.linux.PassedSockets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what the books say: opens a connection for each lease, hands it to the session that asked,
 * takes it back. Event-loop confined, but for {@link #books}, {@link #settle} and {@link
 * #connection}.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of listeners, whose outcome is what they do
final class LeaseDesk {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseDesk.class);

  private final EventLoop loop;
  private final Connector connector;
  private final LongSupplier nanoClock;
  private final ThrottleCounters counters;
  private final ReceivedBytes received;
  private final LeaseTransports transports;
  private final Paths paths;
  private volatile Runnable listener = () -> {};

  private final Object lock = new Object();
  // Guarded by lock, which is held for arithmetic only.
  private final ThrottleBooks books;

  private final Map<Long, DoorSession> sessions = new HashMap<>();
  private final ConcurrentMap<Long, LeasedConnection> connections = new ConcurrentHashMap<>();
  private boolean closed;

  LeaseDesk(
      EventLoop loop,
      Connector connector,
      ThrottleBooks books,
      LongSupplier nanoClock,
      ThrottleCounters counters,
      ReceivedBytes received,
      LeaseTransports transports,
      Paths paths) {
    this.loop = loop;
    this.connector = connector;
    this.books = books;
    this.nanoClock = nanoClock;
    this.counters = counters;
    this.received = received;
    this.transports = transports;
    this.paths = paths;
  }

  /** Reads or changes the books. Thread-safe; a change is to be followed by {@link #settle}. */
  <T extends @Nullable Object> T books(Function<ThrottleBooks, T> work) {
    synchronized (lock) {
      return work.apply(books);
    }
  }

  void onChange(Runnable newListener) {
    listener = newListener;
  }

  /** Gives out what may be given out. Thread-safe. */
  void settle() {
    listener.run();
    List<Lease> granted = books(b -> b.grant(nanoClock.getAsLong()));
    counters.add(ThrottleCounter.LEASES_GRANTED, granted.size());
    if (granted.isEmpty()) {
      return;
    }
    if (loop.inEventLoop()) {
      granted.forEach(this::connect);
    } else {
      loop.execute(() -> granted.forEach(this::connect));
    }
  }

  /** Thread-safe. */
  @Nullable LeasedConnection connection(long lease) {
    return connections.get(lease);
  }

  void opened(DoorSession session) {
    counters.count(ThrottleCounter.SESSIONS_OPENED);
    sessions.put(session.id(), session);
    books(
        b -> {
          b.openSession(session.id(), session.job(), session.attempt());
          return true;
        });
  }

  void closed(DoorSession session) {
    if (sessions.remove(session.id()) == null) {
      return;
    }
    counters.count(ThrottleCounter.SESSIONS_CLOSED);
    if (!closed) {
      books(b -> b.closeSession(session.id())).forEach(this::cut);
      settle();
    }
  }

  /** Closes the sessions of a job that has ended. */
  void jobEnded(String job) {
    List.copyOf(sessions.values()).stream()
        .filter(session -> session.job().equals(job))
        .forEach(DoorSession::close);
  }

  /** What a task has got tells how its job's flows are split. */
  void received(DoorSession session, long bytes) {
    books(
        b -> {
          b.received(session.id(), bytes);
          return true;
        });
  }

  void ask(DoorSession session, long request) {
    counters.count(ThrottleCounter.REQUESTS);
    books(b -> b.request(session.id(), request));
    settle();
  }

  /** Also ends the connecting for a request that has its lease already. */
  void withdraw(DoorSession session, long request) {
    if (!books(b -> b.withdraw(session.id(), request))) {
      connections.values().stream()
          .filter(one -> one.lease().session() == session.id() && one.ask().id() == request)
          .filter(one -> !one.isConnected())
          .map(LeasedConnection::lease)
          .toList()
          .forEach(lease -> release(session.id(), lease.id()));
    }
    settle();
  }

  /** Denied also when the job has a transport now that needs another kind of socket. */
  Renewed renew(DoorSession session, long lease) {
    LeasedConnection connection = connections.get(lease);
    if (connection == null) {
      return new Renewed(lease, renews(session, lease, true), null, null);
    }
    TransportDecision next = transports.kept(session.job(), connection);
    boolean fits = connection.transport().canBecome(new Transport(next.transport()));
    if (!renews(session, lease, fits)) {
      return new Renewed(lease, false, null, null);
    }
    connection.change(next, connector);
    return new Renewed(lease, true, connection.transport().name(), connection.refusal());
  }

  private boolean renews(DoorSession session, long lease, boolean fits) {
    boolean renewed = fits && books(b -> b.renew(session.id(), lease, nanoClock.getAsLong()));
    counters.count(renewed ? ThrottleCounter.LEASES_RENEWED : ThrottleCounter.RENEWALS_DENIED);
    settle();
    return renewed;
  }

  /** A lease that is not the session's (any more) is fine: it may have been cut meanwhile. */
  void release(DoorSession session, long lease) {
    release(session.id(), lease);
  }

  private void release(long session, long lease) {
    Lease back = books(b -> b.release(session, lease));
    if (back != null) {
      LeasedConnection connection = returned(back);
      if (connection != null) {
        // The task may have kept its descriptor; the flow is counted as free, so it must be.
        connection.cut();
      }
    }
    settle();
  }

  /** To be called several times a second where bytes are to follow weights. */
  void balance() {
    Map<String, Long> bytes = received.byJob();
    books(
        b -> {
          b.balance(bytes, nanoClock.getAsLong());
          return true;
        });
    settle();
  }

  /** To be called now and then: time alone changes shares and makes leases overdue. */
  void tick() {
    connections.values().forEach(paths::tick);
    List<Long> moving =
        connections.values().stream()
            .filter(connection -> connection.moved(received.of(connection)))
            .map(connection -> connection.lease().id())
            .toList();
    books(
        b -> {
          b.moved(moving, nanoClock.getAsLong());
          return true;
        });
    for (Lease lease : books(b -> b.cutOverdue(nanoClock.getAsLong()))) {
      LOG.warn(
          "lease {} of {} has stood still for too long, its connection is cut",
          lease.id(),
          lease.attempt());
      counters.count(ThrottleCounter.LEASES_CUT);
      cut(lease);
    }
    settle();
  }

  /** Connections that tasks have stay as they are; only our descriptors of them are closed. */
  void close() {
    closed = true;
    List.copyOf(sessions.values()).forEach(DoorSession::close);
    connections.values().forEach(LeasedConnection::close);
    connections.clear();
  }

  private void connect(Lease lease) {
    DoorSession session = sessions.get(lease.session());
    Ask ask = session == null ? null : session.take(lease.request());
    if (session == null || ask == null || closed) {
      // The session ended between the grant and this moment, and its leases with it.
      release(lease.session(), lease.id());
      return;
    }
    LeasedConnection connection =
        new LeasedConnection(
            lease, ask, transports.of(session.job(), new Transport(ask.transport()), ask.host()));
    connections.put(lease.id(), connection);
    CompletableFuture<Connected> attempt =
        connector.connect(
            loop,
            InetSocketAddress.createUnresolved(ask.host(), ask.port()),
            connection.transport(),
            Connector.tryMs(ask.timeoutMs()),
            PassedSockets.unread());
    connection.connecting(attempt);
    attempt.whenComplete(
        (connected, failure) -> {
          if (connected != null) {
            connected(session, connection, connected);
          } else if (connections.containsKey(lease.id())) {
            failed(session, connection, failure);
          }
        });
  }

  private void connected(DoorSession session, LeasedConnection connection, Connected connected) {
    connection.connected(connected);
    received.lent(connection);
    paths.look(connection);
    Connected settled = settle(session, connection, connected);
    connected
        .channel()
        .deregister()
        .addListener(
            done -> {
              if (connections.get(connection.lease().id()) != connection) {
                connection.close();
              } else if (done.isSuccess()) {
                session.pass(connection, settled);
              } else {
                failed(session, connection, done.cause());
              }
            });
  }

  private Connected settle(DoorSession session, LeasedConnection connection, Connected connected) {
    String refusal = connected.transport().refusal();
    if (refusal == null) {
      return connected;
    }
    paths.refused(connection);
    TransportDecision instead = transports.instead(session.job(), connection, refusal);
    if (instead == null) {
      counters.count(ThrottleCounter.TRANSPORTS_REFUSED);
      return connected;
    }
    return connection.takesInstead(connected, instead);
  }

  private void failed(
      DoorSession session, LeasedConnection connection, @Nullable Throwable failure) {
    counters.count(ThrottleCounter.CONNECTS_FAILED);
    Throwable cause = failure instanceof CompletionException e ? e.getCause() : failure;
    Ask ask = connection.ask();
    session.failed(
        ask.id(),
        "the NodeManager cannot connect to "
            + ask.host()
            + ":"
            + ask.port()
            + ": "
            + (cause == null ? "no cause" : cause.getMessage()));
    release(session, connection.lease().id());
  }

  private void cut(Lease lease) {
    LeasedConnection connection = returned(lease);
    if (connection != null) {
      connection.cut();
    }
  }

  private @Nullable LeasedConnection returned(Lease lease) {
    counters.count(ThrottleCounter.LEASES_RETURNED);
    LeasedConnection connection = connections.remove(lease.id());
    if (connection != null) {
      paths.look(connection);
      received.returned(connection);
    }
    return connection;
  }
}
