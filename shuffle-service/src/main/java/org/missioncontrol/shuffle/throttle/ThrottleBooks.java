/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.scheduler.control.TransferDescriptor;
import org.missioncontrol.scheduler.policy.TransferFacts;
import org.missioncontrol.scheduler.share.ByteBalance;
import org.missioncontrol.scheduler.share.WeightedMaxMin;
import org.missioncontrol.shuffle.throttle.JobBook.SessionBook;
import org.missioncontrol.shuffle.throttle.JobBook.Turn;
import org.missioncontrol.transport.TransportFacts;

/**
 * Who may hold how many of the host's flows: jobs, their sessions, who waits, who holds. Numbers
 * in, leases out; opens no connection and reads no clock. After any change, {@link #grant} says
 * what follows from it.
 *
 * <p>INVARIANT: the leases never outnumber the budget. A job above its share keeps its leases until
 * they come back, and gets no more until it is below. While jobs outnumber flows, the one that was
 * granted least recently comes first, so that each has its turn.
 *
 * <p>Owned by {@link ThrottleController}.
 */
final class ThrottleBooks {
  private final int budget;
  private final long expiryNanos;
  private final long leaseMaxNanos;
  private SharingRules rules;
  private final Map<String, JobBook> jobs = new LinkedHashMap<>();
  private final Map<Long, SessionBook> sessions = new HashMap<>();
  private final Map<Long, Lease> leases = new LinkedHashMap<>();
  private final ByteBalance balance = new ByteBalance();
  private long grants;
  private long turns;

  /**
   * @param budget most leases at once
   * @param rules how jobs weigh, until others are set
   * @param expiryNanos how long an announced transfer counts
   * @param leaseMaxNanos time without a byte and without renewal after which a lease is overdue
   */
  ThrottleBooks(int budget, SharingRules rules, long expiryNanos, long leaseMaxNanos) {
    this.budget = budget;
    this.rules = rules;
    this.expiryNanos = expiryNanos;
    this.leaseMaxNanos = leaseMaxNanos;
  }

  /**
   * One job's line. Immutable.
   *
   * @param transfer what was announced, or null
   * @param wantedWeight what the job asks for, under the policy in force
   * @param weightCap most that it may ask for, infinite without a rule
   * @param weight by the policy
   * @param correction what the weight is multiplied by so that bytes follow weights
   * @param due flows by its weight alone, without correction
   * @param share flows that it may hold
   */
  record JobLine(
      String job,
      @Nullable TransferDescriptor transfer,
      float wantedWeight,
      float weightCap,
      float weight,
      float correction,
      int demand,
      int due,
      int share,
      List<Lease> leases) {
    /** What its ApplicationMaster says it is, or null. */
    @Nullable String transferClass() {
      return transfer == null ? null : transfer.transferClass();
    }
  }

  /** How jobs weigh. */
  SharingRules rules() {
    return rules;
  }

  /** From now on jobs weigh by these rules. */
  void setRules(SharingRules newRules) {
    rules = newRules;
    jobs.values().forEach(JobBook::forgetFacts);
  }

  void announce(TransferDescriptor transfer, long nowNanos) {
    float weight = transfer.weight();
    if (!(weight > 0) || Float.isInfinite(weight)) {
      throw new IllegalArgumentException(
          "weight of " + transfer.job() + " is not positive: " + weight);
    }
    book(transfer.job()).announce(transfer, nowNanos + expiryNanos);
  }

  /** What a job has announced counts as if it were announced again in so long; 0: no longer. */
  void waits(String job, long forNanos, long nowNanos) {
    JobBook book = jobs.get(job);
    if (book != null) {
      book.waits(forNanos > 0, nowNanos + forNanos + expiryNanos);
    }
  }

  /** Bytes that a job's tasks here want in all, by task attempt; counts while it is announced. */
  void wants(String job, Map<String, Long> bytes) {
    JobBook book = jobs.get(job);
    if (book != null) {
      book.wants(bytes);
    }
  }

  /** Bytes that a session's task has received until now. */
  void received(long session, long bytes) {
    SessionBook book = sessions.get(session);
    if (book != null) {
      book.job().received(book, bytes);
    }
  }

  void withdraw(String job) {
    JobBook book = jobs.get(job);
    if (book != null) {
      book.withdraw();
      tidy(book);
    }
  }

  /** Queue of a job, empty where it is not announced. */
  String queue(String job) {
    JobBook book = jobs.get(job);
    TransferDescriptor transfer = book == null ? null : book.transfer();
    return transfer == null ? "" : transfer.queue();
  }

  /** What the transport of a job's flows to a map host is chosen by. */
  TransportFacts transportFacts(String job, int interfaces, boolean marking) {
    JobBook book = jobs.get(job);
    return rules.transportFacts(
        job,
        book == null ? null : book.transfer(),
        book == null ? 0 : Math.min(budget, book.mostWanted()),
        interfaces,
        marking);
  }

  /** Sessions of a job, for a job that has ended. */
  List<Long> sessions(String job) {
    JobBook book = jobs.get(job);
    return book == null ? List.of() : List.copyOf(book.sessions());
  }

  void openSession(long session, String job, String attempt) {
    sessions.put(session, book(job).open(session, attempt));
  }

  /** Forgets the session and who waits in it; its leases come back and are returned. */
  List<Lease> closeSession(long session) {
    SessionBook closing = sessions.remove(session);
    if (closing == null) {
      return List.of();
    }
    List<Lease> back = leases.values().stream().filter(l -> l.session() == session).toList();
    back.forEach(this::remove);
    closing.job().close(closing);
    tidy(closing.job());
    return back;
  }

  /** False if there is no such session or the number already waits. */
  boolean request(long session, long request) {
    SessionBook book = sessions.get(session);
    return book != null && book.job().ask(book, request, turns++);
  }

  /** False if the request does not wait (any more). */
  boolean withdraw(long session, long request) {
    SessionBook book = sessions.get(session);
    return book != null && book.job().unask(book, request);
  }

  /** The lease that came back, or null if the session does not hold it (any more). */
  @Nullable Lease release(long session, long lease) {
    Lease held = held(session, lease);
    if (held != null) {
      remove(held);
    }
    return held;
  }

  /**
   * Another batch, if the share of the job still allows what it holds, no other task of the job
   * waits that holds less than its part, and no job waits without a flow while jobs outnumber
   * flows.
   */
  boolean renew(long session, long lease, long nowNanos) {
    Lease held = held(session, lease);
    if (held == null) {
      return false;
    }
    expire(nowNanos);
    JobBook book = book(held.job());
    List<JobBook> order = order();
    int share = shares(order)[order.indexOf(book)];
    if (book.held() > share || book.owesAnother(session, share) || aJobAwaitsItsTurn()) {
      return false;
    }
    book.renewed(session, ++grants);
    leases.put(lease, held.renewed(nowNanos));
    return true;
  }

  /** Gives out what may be given out now. */
  List<Lease> grant(long nowNanos) {
    expire(nowNanos);
    List<Lease> granted = new ArrayList<>();
    List<JobBook> order = order();
    int[] shares = shares(order);
    for (int i = nextJob(order, shares); i >= 0; i = nextJob(order, shares)) {
      JobBook book = order.get(i);
      Turn turn = book.take(++grants, shares[i]);
      if (turn == null) {
        throw new IllegalStateException(book.job() + " counts waiting requests that are not there");
      }
      Lease lease =
          Lease.granted(
              grants, turn.session(), book.job(), turn.attempt(), turn.request(), nowNanos);
      leases.put(lease.id(), lease);
      granted.add(lease);
    }
    return granted;
  }

  /** Bytes have come on these leases since they were last looked at. */
  void moved(Collection<Long> moving, long nowNanos) {
    moving.forEach(id -> leases.computeIfPresent(id, (same, lease) -> lease.moved(nowNanos)));
  }

  /**
   * From now on weights are corrected, so that bytes follow them. To be called with the bytes that
   * each job has received so far, several times a second.
   */
  void balance(Map<String, Long> received, long nowNanos) {
    expire(nowNanos);
    List<JobBook> order = order();
    float[] weights = weights(order);
    int[] shares = shares(order, corrected(order, weights));
    balance.sample(
        IntStream.range(0, shares.length)
            .filter(i -> order.get(i).demand() > shares[i])
            .mapToObj(
                i -> {
                  String job = order.get(i).job();
                  return new ByteBalance.Contender(job, weights[i], received.getOrDefault(job, 0L));
                })
            .toList(),
        nowNanos);
  }

  /** Takes back the leases on which nothing has moved for too long. */
  List<Lease> cutOverdue(long nowNanos) {
    List<Lease> overdue =
        leases.values().stream().filter(l -> nowNanos - l.movedNanos() >= leaseMaxNanos).toList();
    overdue.forEach(this::remove);
    return overdue;
  }

  List<JobLine> lines(long nowNanos) {
    expire(nowNanos);
    List<JobBook> order = order();
    float[] weights = weights(order);
    float[] corrected = corrected(order, weights);
    int[] shares = shares(order, corrected);
    int[] due = Arrays.equals(weights, corrected) ? shares : shares(order, weights);
    return jobs.values().stream()
        .map(
            book -> {
              int i = order.indexOf(book);
              return line(book, weights[i], due[i], shares[i]);
            })
        .toList();
  }

  private JobLine line(JobBook book, float weight, int due, int share) {
    TransferFacts facts = book.facts(rules);
    return new JobLine(
        book.job(),
        book.transfer(),
        rules.policy().asked(facts),
        facts.weightCap(),
        weight,
        balance.factor(book.job()),
        book.demand(),
        due,
        share,
        leases.values().stream().filter(l -> l.job().equals(book.job())).toList());
  }

  /** The job that was granted least recently of those that may have one more, or -1. */
  private int nextJob(List<JobBook> order, int[] shares) {
    int next = -1;
    if (leases.size() >= budget) {
      return next;
    }
    for (int i = 0; i < shares.length; i++) {
      JobBook book = order.get(i);
      boolean may = book.waiting() > 0 && book.held() < shares[i];
      if (may && (next < 0 || book.lastGrant() < order.get(next).lastGrant())) {
        next = i;
      }
    }
    return next;
  }

  /** Of precedence: by arrival while there is a flow for each, else by turns. */
  private List<JobBook> order() {
    List<JobBook> order = new ArrayList<>(jobs.values());
    if (jobsOutnumberFlows()) {
      order.sort(Comparator.comparingLong(JobBook::lastGrant));
    }
    return order;
  }

  private boolean jobsOutnumberFlows() {
    return jobs.values().stream().filter(book -> book.demand() > 0).count() > budget;
  }

  /** Then no batch follows another over the same flow, or the others would renew for ever. */
  private boolean aJobAwaitsItsTurn() {
    return jobsOutnumberFlows()
        && jobs.values().stream().anyMatch(book -> book.held() == 0 && book.waiting() > 0);
  }

  private int[] shares(List<JobBook> order) {
    return shares(order, corrected(order, weights(order)));
  }

  private float[] corrected(List<JobBook> order, float[] weights) {
    float[] corrected = weights.clone();
    for (int i = 0; i < corrected.length; i++) {
      corrected[i] *= balance.factor(order.get(i).job());
    }
    return corrected;
  }

  private int[] shares(List<JobBook> order, float[] weights) {
    return WeightedMaxMin.shares(
        budget,
        IntStream.range(0, weights.length)
            .mapToObj(i -> new WeightedMaxMin.Claim(weights[i], order.get(i).demand()))
            .toList());
  }

  private float[] weights(List<JobBook> order) {
    return rules.policy().weights(order.stream().map(book -> book.facts(rules)).toList());
  }

  private void expire(long nowNanos) {
    for (JobBook book : List.copyOf(jobs.values())) {
      book.expire(nowNanos);
      tidy(book);
    }
  }

  private JobBook book(String job) {
    return jobs.computeIfAbsent(job, JobBook::new);
  }

  private void tidy(JobBook book) {
    if (book.forgettable()) {
      jobs.remove(book.job());
    }
  }

  private @Nullable Lease held(long session, long lease) {
    Lease held = leases.get(lease);
    return held != null && held.session() == session ? held : null;
  }

  private void remove(Lease lease) {
    leases.remove(lease.id());
    book(lease.job()).giveBack(lease.session());
  }
}
