/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.io.IOException;
import java.util.function.Function;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskStatus;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.flow.FlowException;
import org.missioncontrol.shuffle.flow.FlowSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the plan: asks for flows, gives them batches, tells the plan what became of them and
 * Hadoop what came of it all. Owned by the reduce thread; others reach it by the {@link Inbox}.
 */
final class ShuffleLoop<K, V> implements FlowPool.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(ShuffleLoop.class);

  /** Longest time without a sign of life to Hadoop, milliseconds. */
  private static final long TICK_MS = 1000;

  /**
   * How a reducer fetches. Immutable.
   *
   * @param mapsPerBatch most outputs of one request
   * @param leaseTargetMs milliseconds that a batch over a leased flow should take; 0: as it comes
   * @param readTimeoutMs milliseconds without a byte after which a connection is given up
   */
  record Limits(
      FlowDemand.Bounds flows, int mapsPerBatch, long leaseTargetMs, long readTimeoutMs) {}

  private final FetchPlan plan;
  private final Inbox inbox;
  private final FetchParts<K, V> parts;
  private final Limits limits;
  private final FlowPool pool;
  private final FlowTurns<K, V> turns;
  private final TaskStatus status;
  private final Reporter reporter;
  private final @Nullable CopyReader<K, V> copies;
  private final @Nullable LocalReader<K, V> local;
  private boolean clientRefusalLogged;

  ShuffleLoop(
      FetchParts<K, V> parts,
      Limits limits,
      MapOutputRequest.Asker asker,
      FlowSource source,
      Function<MapServer, Conversation> conversations,
      TaskStatus status,
      Reporter reporter,
      @Nullable CopyReader<K, V> copies,
      @Nullable LocalReader<K, V> local) {
    this.parts = parts;
    this.plan = parts.plan();
    this.inbox = parts.inbox();
    this.limits = limits;
    this.pool = new FlowPool(source, conversations, inbox, this);
    this.turns = new FlowTurns<>(parts, limits, asker, pool, copies, local);
    this.status = status;
    this.reporter = reporter;
    this.copies = copies;
    this.local = local;
  }

  /** Fetches everything. */
  void run() throws IOException, InterruptedException {
    parts.progress().show(plan.finishedMaps(), null, parts.now());
    while (!plan.done()) {
      long now = parts.now();
      if (copies != null) {
        copies.look(now);
      }
      if (local != null) {
        local.look(now);
      }
      FlowDemand.Bounds bounds = limits.flows().with(pool.multipath());
      pool.adjust(plan.demand(pool.active(), pool.requested(), bounds, now));
      reporter.progress();
      long tick = copies == null ? TICK_MS : FetchPlan.CLAIM_INTERVAL;
      inbox.work(Math.max(1, Math.min(tick, plan.nextChange(now) - now)));
      tell();
    }
  }

  private void tell() throws IOException {
    parts.counters().follow(plan);
    for (MapAttempt attempt : plan.takeReports()) {
      LOG.info("Reporting fetch failure for {} to MRAppMaster.", attempt);
      status.addFetchFailedMap(TaskAttemptID.forName(attempt.id()));
    }
    String hopeless = plan.hopeless();
    if (hopeless != null) {
      throw new IOException("error in shuffle: " + hopeless);
    }
  }

  @Override
  public void granted(Conversation conversation) {
    parts
        .counters()
        .add(conversation.flow().leased() ? JobCounter.LEASED_FLOWS : JobCounter.PLAIN_FLOWS, 1);
    String refusal = conversation.flow().transport().refusal();
    if (refusal != null) {
      parts.counters().add(JobCounter.TRANSPORT_REFUSED_CLIENT, 1);
      if (!clientRefusalLogged) {
        clientRefusalLogged = true;
        LOG.warn("Fetching on the default transport: {}", refusal);
      }
    }
    turns.begin(conversation);
  }

  @Override
  public void unreachable(MapServer server, FlowException why) {
    LOG.warn("Cannot connect to {}: {}", server, why.getMessage());
    parts.counters().error(FetchFault.Kind.CONNECTION);
    plan.hostFailed(server, parts.now());
  }

  /** Gives back every flow and request. */
  void close() {
    pool.close();
  }
}
