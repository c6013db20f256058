/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.reduce.FlowTurn.Batch;
import org.missioncontrol.shuffle.reduce.FlowTurn.Renewal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives each flow one batch after the other until there is nothing to ask its host for or the
 * lender wants it back. A batch is asked for before the one under way has ended, so that the server
 * makes it ready meanwhile: behind a server of ours, which answers in turn. Owned by the reduce
 * thread.
 */
final class FlowTurns<K, V> {
  private static final Logger LOG = LoggerFactory.getLogger(FlowTurns.class);

  /** Rest of a host after memory ran out, milliseconds. */
  private static final long MEMORY_PAUSE_MS = 1000;

  private final FetchParts<K, V> parts;
  private final FetchPlan plan;
  private final Inbox inbox;
  private final ShuffleLoop.Limits limits;
  private final MapOutputRequest.Asker asker;
  private final FlowPool pool;
  private final @Nullable CopyReader<K, V> copies;
  private final @Nullable LocalReader<K, V> local;
  private final BatchOutcome.Told told = new BatchOutcome.Told();
  private int batches;
  private long bytes;
  private long outputs;

  FlowTurns(
      FetchParts<K, V> parts,
      ShuffleLoop.Limits limits,
      MapOutputRequest.Asker asker,
      FlowPool pool,
      @Nullable CopyReader<K, V> copies,
      @Nullable LocalReader<K, V> local) {
    this.parts = parts;
    this.plan = parts.plan();
    this.inbox = parts.inbox();
    this.limits = limits;
    this.asker = asker;
    this.pool = pool;
    this.copies = copies;
    this.local = local;
  }

  /** Gives a flow that was just granted its first batch. */
  void begin(Conversation conversation) {
    next(new FlowTurn<>(conversation, new BatchPace(limits.leaseTargetMs())));
  }

  /** Gives a flow its next batch, or gives it back. */
  private void next(FlowTurn<K, V> turn) {
    Batch<K, V> batch = batch(turn);
    if (batch == null) {
      release(turn);
    } else {
      start(turn, batch);
    }
  }

  /** Takes a flow's next batch; null if it is to have none now. */
  private @Nullable Batch<K, V> batch(FlowTurn<K, V> turn) {
    MapServer server = turn.server();
    if (pool.superfluous(turn.conversation()) || (local != null && local.reads(server))) {
      return null;
    }
    int most = turn.outputs(BatchPace.allowed(limits.mapsPerBatch(), bytes, outputs));
    List<MapAttempt> maps =
        plan.take(server, pool.flows(server), most, map -> mayFetch(server, map), parts.now());
    if (maps.isEmpty()) {
      return null;
    }
    try {
      MapOutputRequest request =
          MapOutputRequest.of(asker, turn.conversation().transportToAsk(), server, maps);
      return new Batch<>(
          maps,
          new BatchFetch<>(
              turn.conversation(),
              request,
              parts.feed(),
              limits.readTimeoutMs(),
              turn.nearEnd(),
              ++batches,
              copies == null ? Map.of() : copies.sharing().copiesOf(maps),
              new BatchOutcome<>(parts, this, told, turn, maps)));
    } catch (IOException e) {
      inbox.reportException(e);
      return null;
    }
  }

  private boolean mayFetch(MapServer server, MapAttempt map) {
    return copies == null || copies.sharing().mayFetch(server, map, parts.now());
  }

  private void start(FlowTurn<K, V> turn, Batch<K, V> batch) {
    long now = parts.now();
    turn.begins(now);
    parts.progress().begins(now);
    parts.copiers().execute(batch.fetch());
  }

  /** The batch under way is nearly here: the next is asked for behind it, if the lease allows. */
  void nearEnd(FlowTurn<K, V> turn) {
    if (turn.busy() && plan.hasWork(turn.server(), parts.now())) {
      renew(turn);
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // of the continuation, which cannot fail
  private void renew(FlowTurn<K, V> turn) {
    turn.renewal(Renewal.ASKED);
    turn.conversation()
        .renew()
        .whenComplete(
            (granted, failure) -> inbox.post(() -> renewed(turn, failure == null && granted)));
  }

  private void renewed(FlowTurn<K, V> turn, boolean granted) {
    if (!pool.holds(turn.conversation())) {
      return;
    }
    turn.renewal(granted ? Renewal.GRANTED : Renewal.DENIED);
    if (!turn.busy()) {
      goOn(turn);
    } else if (granted) {
      Batch<K, V> batch = batch(turn);
      if (batch != null) {
        batch.fetch().askAhead();
        turn.asked(batch);
      }
    }
  }

  /** What follows a batch that has come whole. */
  private void goOn(FlowTurn<K, V> turn) {
    Batch<K, V> ahead = turn.takeAhead();
    if (ahead != null) {
      parts.counters().add(JobCounter.BATCHES_AHEAD, 1);
      start(turn, ahead);
      return;
    }
    switch (turn.renewal()) {
      case UNASKED -> {
        if (plan.hasWork(turn.server(), parts.now())) {
          renew(turn);
        } else {
          release(turn);
        }
      }
      case GRANTED -> next(turn);
      case DENIED -> release(turn);
      case ASKED -> {}
    }
  }

  /** A batch has ended. */
  void ended(FlowTurn<K, V> turn, List<MapAttempt> asked, BatchEnd end) {
    long now = parts.now();
    MapServer server = turn.server();
    parts.progress().ends(now);
    turn.ends(end instanceof BatchEnd.Complete ? asked.size() : 0, now);
    done(asked);
    if (end instanceof BatchEnd.Complete complete) {
      if (complete.reusable()) {
        goOn(turn);
        return;
      }
    } else if (end instanceof BatchEnd.Broken broken) {
      LOG.warn("Fetching from {} failed: {}", server, broken.fault().getMessage());
      parts.counters().error(broken.fault().kind());
      Blame.settle(plan, server, broken, now);
    } else {
      plan.giveBack(server, end.left(), now);
      if (end instanceof BatchEnd.Busy busy) {
        plan.pause(server, busy.retryAfterMs(), now);
      } else if (end instanceof BatchEnd.NoMemory) {
        plan.pause(server, MEMORY_PAUSE_MS, now);
      }
    }
    release(turn);
  }

  /** An output of so many bytes has come. */
  void came(long size) {
    bytes += size;
    outputs++;
  }

  private void done(List<MapAttempt> maps) {
    if (copies != null) {
      copies.sharing().ended(maps);
    }
  }

  private void release(FlowTurn<K, V> turn) {
    Batch<K, V> ahead = turn.takeAhead();
    if (ahead != null) {
      plan.giveBack(turn.server(), ahead.maps(), parts.now());
      done(ahead.maps());
    }
    pool.release(turn.conversation());
  }
}
