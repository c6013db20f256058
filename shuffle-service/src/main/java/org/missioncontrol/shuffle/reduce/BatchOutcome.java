/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.mapreduce.task.reduce.MapOutput;
import org.missioncontrol.shuffle.wire.MapOutputHeader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries what a copier tells to the reduce thread, and settles it there. Thread-safe. */
final class BatchOutcome<K, V> implements BatchFetch.Listener<K, V> {
  private static final Logger LOG = LoggerFactory.getLogger(BatchOutcome.class);

  /** What the log says once of all batches. Owned by the reduce thread. */
  static final class Told {
    private boolean serverRefusal;
    private boolean clear;
  }

  private final FetchParts<K, V> parts;
  private final FlowTurns<K, V> turns;
  private final Told told;
  private final FlowTurn<K, V> turn;
  private final List<MapAttempt> asked;

  BatchOutcome(
      FetchParts<K, V> parts,
      FlowTurns<K, V> turns,
      Told told,
      FlowTurn<K, V> turn,
      List<MapAttempt> asked) {
    this.parts = parts;
    this.turns = turns;
    this.told = told;
    this.turn = turn;
    this.asked = asked;
  }

  @Override
  public void nearEnd() {
    parts.inbox().post(() -> turns.nearEnd(turn));
  }

  @Override
  public void transportRefused(MapServer server, String why) {
    parts.inbox().post(() -> serverRefused(server, why));
  }

  @Override
  public void encryptionRefused(EncryptionRefused why) {
    parts.inbox().post(() -> count(why));
  }

  @Override
  public void fetched(MapAttempt map, MapOutput<K, V> output, long bytes, long tookMs) {
    parts.settle(output, () -> land(map, output, bytes, tookMs));
  }

  @Override
  public void refused(MapAttempt map, MapOutputHeader.Failure why) {
    parts
        .inbox()
        .post(
            () -> {
              LOG.warn("{} cannot send the output of {}: {}", turn.server(), map, why);
              parts.counters().add(JobCounter.MAPS_REFUSED, 1);
              Blame.refused(parts.plan(), turn.server(), map, why, parts.now());
            });
  }

  @Override
  public void bad(MapAttempt map, FetchFault why) {
    parts
        .inbox()
        .post(
            () -> {
              LOG.warn("Bad output of {} from {}", map, turn.server(), why);
              parts.counters().error(why.kind());
              parts.plan().unreadable(turn.server(), map, parts.now());
            });
  }

  @Override
  public void ended(BatchEnd end) {
    parts.inbox().post(() -> turns.ended(turn, asked, end));
  }

  @Override
  public void fatal(Throwable why) {
    parts.inbox().reportException(why);
  }

  private void land(MapAttempt map, MapOutput<K, V> output, long bytes, long tookMs)
      throws IOException {
    Conversation conversation = turn.conversation();
    turns.came(bytes);
    boolean leased = conversation.flow().leased();
    boolean first = parts.plan().succeeded(conversation.server(), map, parts.now());
    parts.keep(
        map,
        output,
        first,
        bytes,
        tookMs,
        size -> parts.counters().fetched(size, leased, conversation.encrypted()));
  }

  private void serverRefused(MapServer server, String why) {
    parts.counters().add(JobCounter.TRANSPORT_REFUSED_SERVER, 1);
    if (!told.serverRefusal) {
      told.serverRefusal = true;
      LOG.warn("{} sends on its default transport: {}", server, why);
    }
  }

  private void count(EncryptionRefused why) {
    parts.counters().add(JobCounter.ENCRYPTION_REFUSED, 1);
    if (why.clearInstead() && !told.clear) {
      told.clear = true;
      LOG.warn("{} (further hosts are only counted)", why.getMessage());
    }
  }
}
