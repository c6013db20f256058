/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.scheduler.control.TransferDescriptor;
import org.missioncontrol.scheduler.policy.TransferFacts;

/** What the books know of one job. Owned by {@link ThrottleBooks}. */
final class JobBook {
  private final String job;
  private final Map<Long, SessionBook> sessions = new LinkedHashMap<>();
  private final TaskShares wanted = new TaskShares();
  private @Nullable TransferDescriptor transfer;
  private long announcedUntilNanos;
  private @Nullable TransferFacts facts;
  private long lastGrant;
  private int held;
  private int waiting;
  private int mostWanted;

  JobBook(String job) {
    this.job = job;
  }

  /** One task attempt. Owned by its job. */
  static final class SessionBook {
    private final JobBook job;
    private final long id;
    private final String attempt;
    // Request to its turn, which grows: the first entry has waited longest.
    private final Map<Long, Long> waiting = new LinkedHashMap<>();
    private long received;
    private long lastGrant;
    private int held;

    private SessionBook(JobBook job, long id, String attempt) {
      this.job = job;
      this.id = id;
      this.attempt = attempt;
    }

    JobBook job() {
      return job;
    }

    private long oldestTurn() {
      return waiting.values().iterator().next();
    }

    private int demand() {
      return held + waiting.size();
    }
  }

  /** Whom a flow goes to. Immutable. */
  record Turn(long session, String attempt, long request) {}

  String job() {
    return job;
  }

  void announce(TransferDescriptor announced, long untilNanos) {
    transfer = announced;
    announcedUntilNanos = untilNanos;
    facts = null;
  }

  /** Only changes how long, not whether, something is announced; nothing longer at a wait's end. */
  void waits(boolean begins, long untilNanos) {
    if (begins || untilNanos - announcedUntilNanos < 0) {
      announcedUntilNanos = untilNanos;
    }
  }

  void withdraw() {
    transfer = null;
    facts = null;
    wanted.told(Map.of());
  }

  /** Bytes that the job's tasks here want in all, by task attempt. */
  void wants(Map<String, Long> bytes) {
    wanted.told(bytes);
  }

  /** A task says what it has got until now. */
  void received(SessionBook session, long bytes) {
    session.received = Math.max(session.received, bytes);
  }

  void expire(long nowNanos) {
    if (transfer != null && nowNanos - announcedUntilNanos >= 0) {
      withdraw();
    }
  }

  /** What its ApplicationMaster announced, while it counts. */
  @Nullable TransferDescriptor transfer() {
    return transfer;
  }

  /** What the share policy may know of it now. */
  TransferFacts facts(SharingRules rules) {
    TransferFacts known = facts;
    if (known == null) {
      known = rules.facts(job, transfer);
    }
    known = known.withActive(demand() > 0);
    facts = known;
    return known;
  }

  /** To be called when the rules have changed. */
  void forgetFacts() {
    facts = null;
  }

  boolean forgettable() {
    return transfer == null && sessions.isEmpty();
  }

  SessionBook open(long session, String attempt) {
    SessionBook book = new SessionBook(this, session, attempt);
    sessions.put(session, book);
    return book;
  }

  Set<Long> sessions() {
    return sessions.keySet();
  }

  int held() {
    return held;
  }

  int waiting() {
    return waiting;
  }

  int demand() {
    return held + waiting;
  }

  /** The greatest demand there has been. */
  int mostWanted() {
    return mostWanted;
  }

  long lastGrant() {
    return lastGrant;
  }

  /** False if the session already waits under that number. */
  boolean ask(SessionBook session, long request, long turn) {
    if (session.waiting.putIfAbsent(request, turn) != null) {
      return false;
    }
    waiting++;
    mostWanted = Math.max(mostWanted, demand());
    return true;
  }

  boolean unask(SessionBook session, long request) {
    if (session.waiting.remove(request) == null) {
      return false;
    }
    waiting--;
    return true;
  }

  /**
   * Grants one more flow to a session that is below its part of the job's {@code flows}: of those
   * the one that was granted least recently, then the one that has waited longest.
   */
  @Nullable Turn take(long grant, int flows) {
    List<SessionBook> order = order(flows);
    int[] shares = shares(order, flows);
    SessionBook next =
        IntStream.range(0, shares.length)
            .filter(i -> order.get(i).held < shares[i] && !order.get(i).waiting.isEmpty())
            .mapToObj(order::get)
            .min(
                Comparator.<SessionBook>comparingLong(session -> session.lastGrant)
                    .thenComparingLong(SessionBook::oldestTurn))
            .orElse(null);
    if (next == null) {
      return null;
    }
    long request = next.waiting.keySet().iterator().next();
    next.waiting.remove(request);
    next.held++;
    next.lastGrant = grant;
    waiting--;
    held++;
    lastGrant = grant;
    return new Turn(next.id, next.attempt, request);
  }

  /**
   * Whether a session holds more than its part of the job's {@code flows} while another one waits
   * that holds less than its own, so that a flow should move.
   */
  boolean owesAnother(long session, int flows) {
    List<SessionBook> order = order(flows);
    int[] shares = shares(order, flows);
    boolean above = false;
    boolean another = false;
    for (int i = 0; i < shares.length; i++) {
      SessionBook book = order.get(i);
      above |= book.id == session && book.held > shares[i];
      another |= book.held < shares[i] && !book.waiting.isEmpty();
    }
    return above && another;
  }

  /** Of precedence: by arrival while there is a flow for each, else by turns. */
  private List<SessionBook> order(int flows) {
    List<SessionBook> order =
        new ArrayList<>(sessions.values().stream().filter(one -> one.demand() > 0).toList());
    if (order.size() > flows) {
      order.sort(Comparator.comparingLong(session -> session.lastGrant));
    }
    return order;
  }

  private int[] shares(List<SessionBook> order, int flows) {
    return wanted.split(
        flows,
        order.stream()
            .map(one -> new TaskShares.Task(one.attempt, one.received, one.demand()))
            .toList());
  }

  void renewed(long session, long grant) {
    lastGrant = grant;
    SessionBook book = sessions.get(session);
    if (book != null) {
      book.lastGrant = grant;
    }
  }

  void giveBack(long session) {
    held--;
    SessionBook book = sessions.get(session);
    if (book != null) {
      book.held--;
    }
  }

  void close(SessionBook session) {
    waiting -= session.waiting.size();
    session.waiting.clear();
    sessions.remove(session.id);
  }
}
