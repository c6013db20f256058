/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.throttle.ThrottleSnapshot.TransportUse;
import org.missioncontrol.transport.Transport;
import org.missioncontrol.transport.TransportDecision;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transport of the next lease of a job: what its ApplicationMaster announced last, whatever the
 * task asks for; that counts on when the ApplicationMaster is silent, until it withdraws or the job
 * ends. Where that is {@link Transport#AUTO}, the rules choose for each map host. Thread-safe.
 */
final class LeaseTransports {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseTransports.class);

  /** Rule of a transport that somebody named. */
  static final String ASKED = "asked for";

  /** Map hosts of a job of which the latest choice is remembered, for operators. */
  private static final int MOST_HOSTS = 256;

  /** Of those, so many are named for each choice. */
  private static final int MOST_SHOWN = 8;

  private final BiFunction<String, String, TransportDecision> rules;
  private final ThrottleCounters counters;
  // Of jobs whose secret is known.
  private final Map<String, Transport> announced = new ConcurrentHashMap<>();
  private final Map<String, Choices> choices = new ConcurrentHashMap<>();

  /**
   * @param rules what they choose, by job and map host
   */
  LeaseTransports(BiFunction<String, String, TransportDecision> rules, ThrottleCounters counters) {
    this.rules = rules;
    this.counters = counters;
  }

  /** The latest choice by map host, the oldest first. Guarded by itself. */
  private static final class Choices extends LinkedHashMap<String, TransportDecision> {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, TransportDecision> eldest) {
      return size() > MOST_HOSTS;
    }
  }

  void announce(String job, String name) {
    Transport next;
    try {
      next = new Transport(name);
    } catch (IllegalArgumentException e) {
      LOG.warn("The announced transport of {} is not used: {}", job, e.getMessage());
      return;
    }
    Transport before = announced.put(job, next);
    if (before != null && !before.equals(next)) {
      LOG.info("Leases of {} have transport {} now, no longer {}", job, name, before.name());
    }
  }

  void forget(String job) {
    announced.remove(job);
    choices.remove(job);
  }

  /**
   * What a new connection shall have.
   *
   * @param asked by its task
   * @param mapHost that it goes to
   */
  TransportDecision of(String job, Transport asked, String mapHost) {
    TransportDecision decision = decide(job, announced.getOrDefault(job, asked), mapHost);
    remember(job, mapHost, decision);
    return decision;
  }

  private TransportDecision decide(String job, Transport wanted, String mapHost) {
    if (!wanted.equals(Transport.AUTO)) {
      return announced.containsKey(job)
          ? TransportDecision.asked(wanted.name(), ASKED, "its ApplicationMaster has announced it")
          : TransportDecision.asked(wanted.name(), ASKED, "its task wants it");
    }
    return rules.apply(job, mapHost);
  }

  /** What a connection that is kept shall have from its next batch on. */
  TransportDecision kept(String job, LeasedConnection connection) {
    Transport wanted = announced.getOrDefault(job, new Transport(connection.ask().transport()));
    TransportDecision before = connection.decision();
    if (!wanted.equals(Transport.AUTO)) {
      return of(job, wanted, connection.ask().host());
    }
    if (!before.rule().equals(ASKED)) {
      // Another choice may need another handshake: it counts for the next connection.
      return connection.transport().isMultipath() ? multipath(job, connection) : before;
    }
    TransportDecision chosen = of(job, wanted, connection.ask().host());
    return new Transport(chosen.transport()).madeForIt()
        ? new TransportDecision(
            Transport.DEFAULT.name(),
            chosen.rule(),
            "this connection was made before; the next one has " + chosen.transport(),
            chosen.passedOver())
        : chosen;
  }

  /**
   * One whose only path is the first would be kept as the only connection to its host; what is not
   * MPTCP is not renewed on it, and the next one has what the rules choose now.
   */
  private TransportDecision multipath(String job, LeasedConnection connection) {
    TransportDecision chosen = of(job, Transport.AUTO, connection.ask().host());
    return new Transport(chosen.transport()).isMultipath() ? connection.decision() : chosen;
  }

  /**
   * What a connection has whose other end, or path, has no MPTCP, if a rule chose it; null if
   * somebody asked for it, who is to hear of a refusal.
   *
   * @param refusal why it is none
   */
  @Nullable TransportDecision instead(String job, LeasedConnection connection, String refusal) {
    TransportDecision chosen = connection.decision();
    if (chosen.rule().equals(ASKED) || !connection.transport().isMultipath()) {
      return null;
    }
    TransportDecision instead =
        new TransportDecision(
            Transport.DEFAULT.name(),
            chosen.rule(),
            chosen.why() + "; but " + refusal,
            chosen.passedOver());
    remember(job, connection.ask().host(), instead);
    return instead;
  }

  private void remember(String job, String mapHost, TransportDecision decision) {
    Choices ofJob = choices.computeIfAbsent(job, added -> new Choices());
    TransportDecision before;
    boolean otherHasIt;
    synchronized (ofJob) {
      otherHasIt = ofJob.values().stream().anyMatch(decision::sameRuleAs);
      before = ofJob.remove(mapHost);
      ofJob.put(mapHost, decision);
    }
    if (before != null && decision.sameRuleAs(before)) {
      return;
    }
    if (!decision.passedOver().isEmpty()) {
      counters.count(ThrottleCounter.RULES_PASSED_OVER);
    }
    if (!otherHasIt) {
      LOG.info(
          "{} fetches from {} over transport {}, by {} ({}){}",
          job,
          mapHost,
          decision.transport(),
          decision.rule(),
          decision.why(),
          decision.passedOver().isEmpty() ? "" : "; passed over: " + decision.passedOver());
    }
  }

  /** The latest choices of a job; before its first connection, what would be chosen for it. */
  List<TransportUse> uses(String job) {
    Choices ofJob = choices.get(job);
    if (ofJob == null) {
      Transport wanted = announced.get(job);
      return wanted == null
          ? List.of()
          : List.of(new TransportUse(decide(job, wanted, ""), List.of(), 0));
    }
    List<TransportUse> uses = new ArrayList<>();
    synchronized (ofJob) {
      ofJob.forEach((host, decision) -> add(uses, host, decision));
    }
    return uses;
  }

  private static void add(List<TransportUse> uses, String host, TransportDecision decision) {
    for (int i = 0; i < uses.size(); i++) {
      TransportUse use = uses.get(i);
      if (use.decision().sameRuleAs(decision)) {
        List<String> hosts = new ArrayList<>(use.mapHosts());
        if (hosts.size() < MOST_SHOWN) {
          hosts.add(host);
        }
        uses.set(i, new TransportUse(decision, hosts, use.hosts() + 1));
        return;
      }
    }
    uses.add(new TransportUse(decision, List.of(host), 1));
  }
}
