/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskStatus;
import org.apache.hadoop.mapreduce.task.reduce.MapOutput;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.flow.FlowException;
import org.missioncontrol.shuffle.flow.FlowSource;
import org.missioncontrol.shuffle.wire.MapOutputHeader;
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

  /** Rest of a host after memory ran out, milliseconds. */
  private static final long MEMORY_PAUSE_MS = 1000;

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
  private final Limits limits;
  private final MapOutputRequest.Asker asker;
  private final Inbox inbox;
  private final FlowPool pool;
  private final MergeFeed<K, V> feed;
  private final Executor copiers;
  private final FetchCounters counters;
  private final CopyProgress progress;
  private final TaskStatus status;
  private final Reporter reporter;
  private final LongSupplier clock;
  private final @Nullable CopyReader<K, V> copies;
  private final @Nullable LocalReader<K, V> local;
  private final Map<Conversation, BatchPace> paces = new HashMap<>();
  private int batches;
  private boolean clientRefusalLogged;
  private boolean serverRefusalLogged;
  private boolean clearLogged;

  ShuffleLoop(
      FetchPlan plan,
      Limits limits,
      MapOutputRequest.Asker asker,
      Inbox inbox,
      FlowSource source,
      Function<MapServer, Conversation> conversations,
      MergeFeed<K, V> feed,
      Executor copiers,
      FetchCounters counters,
      CopyProgress progress,
      TaskStatus status,
      Reporter reporter,
      LongSupplier clock,
      @Nullable CopyReader<K, V> copies,
      @Nullable LocalReader<K, V> local) {
    this.plan = plan;
    this.limits = limits;
    this.asker = asker;
    this.inbox = inbox;
    this.pool = new FlowPool(source, conversations, inbox, this);
    this.feed = feed;
    this.copiers = copiers;
    this.counters = counters;
    this.progress = progress;
    this.status = status;
    this.reporter = reporter;
    this.clock = clock;
    this.copies = copies;
    this.local = local;
  }

  /** Fetches everything. */
  void run() throws IOException, InterruptedException {
    progress.show(plan.finishedMaps(), null, now());
    while (!plan.done()) {
      long now = now();
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

  private long now() {
    return clock.getAsLong();
  }

  private void tell() throws IOException {
    counters.follow(plan);
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
    counters.add(
        conversation.flow().leased() ? JobCounter.LEASED_FLOWS : JobCounter.PLAIN_FLOWS, 1);
    String refusal = conversation.flow().transport().refusal();
    if (refusal != null) {
      counters.add(JobCounter.TRANSPORT_REFUSED_CLIENT, 1);
      if (!clientRefusalLogged) {
        clientRefusalLogged = true;
        LOG.warn("Fetching on the default transport: {}", refusal);
      }
    }
    next(conversation);
  }

  @Override
  public void unreachable(MapServer server, FlowException why) {
    LOG.warn("Cannot connect to {}: {}", server, why.getMessage());
    counters.error(FetchFault.Kind.CONNECTION);
    plan.hostFailed(server, now());
  }

  private BatchPace pace(Conversation conversation) {
    return paces.computeIfAbsent(conversation, flow -> new BatchPace(limits.leaseTargetMs()));
  }

  private void release(Conversation conversation) {
    paces.remove(conversation);
    pool.release(conversation);
  }

  /** Gives a flow its next batch, or gives it back. */
  private void next(Conversation conversation) {
    MapServer server = conversation.server();
    if (pool.superfluous(conversation) || (local != null && local.reads(server))) {
      release(conversation);
      return;
    }
    int most =
        conversation.flow().leased()
            ? pace(conversation).outputs(limits.mapsPerBatch())
            : limits.mapsPerBatch();
    List<MapAttempt> batch =
        plan.take(server, pool.flows(server), most, map -> mayFetch(server, map), now());
    if (batch.isEmpty()) {
      release(conversation);
      return;
    }
    try {
      MapOutputRequest request =
          MapOutputRequest.of(asker, conversation.transportToAsk(), server, batch);
      progress.begins(now());
      copiers.execute(
          new BatchFetch<>(
              conversation,
              request,
              feed,
              limits.readTimeoutMs(),
              ++batches,
              copies == null ? Map.of() : copies.sharing().copiesOf(batch),
              new Outcome(conversation, batch, now())));
    } catch (IOException e) {
      inbox.reportException(e);
    }
  }

  private boolean mayFetch(MapServer server, MapAttempt map) {
    return copies == null || copies.sharing().mayFetch(server, map, now());
  }

  private void ended(Conversation conversation, BatchEnd end) {
    long now = now();
    MapServer server = conversation.server();
    progress.ends(now);
    if (end instanceof BatchEnd.Complete complete) {
      if (complete.reusable() && plan.hasWork(server, now)) {
        renew(conversation);
        return;
      }
    } else if (end instanceof BatchEnd.Broken broken) {
      LOG.warn("Fetching from {} failed: {}", server, broken.fault().getMessage());
      counters.error(broken.fault().kind());
      Blame.settle(plan, server, broken, now);
    } else {
      plan.giveBack(server, end.left(), now);
      if (end instanceof BatchEnd.Busy busy) {
        plan.pause(server, busy.retryAfterMs(), now);
      } else if (end instanceof BatchEnd.NoMemory) {
        plan.pause(server, MEMORY_PAUSE_MS, now);
      }
    }
    release(conversation);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // of the continuation, which cannot fail
  private void renew(Conversation conversation) {
    conversation
        .renew()
        .whenComplete(
            (granted, failure) ->
                inbox.post(
                    () -> {
                      if (failure == null && granted) {
                        next(conversation);
                      } else {
                        release(conversation);
                      }
                    }));
  }

  private void fetched(
      Conversation conversation, MapAttempt map, MapOutput<K, V> output, long bytes, long tookMs)
      throws IOException {
    long now = now();
    if (!plan.succeeded(conversation.server(), map, now)) {
      output.abort();
      return;
    }
    output.commit();
    counters.fetched(bytes, conversation.flow().leased(), conversation.encrypted());
    progress.copied(map, bytes, tookMs, plan.finishedMaps(), now);
  }

  private void serverRefused(MapServer server, String why) {
    counters.add(JobCounter.TRANSPORT_REFUSED_SERVER, 1);
    if (!serverRefusalLogged) {
      serverRefusalLogged = true;
      LOG.warn("{} sends on its default transport: {}", server, why);
    }
  }

  private void encryptionRefused(EncryptionRefused why) {
    counters.add(JobCounter.ENCRYPTION_REFUSED, 1);
    if (why.clearInstead() && !clearLogged) {
      clearLogged = true;
      LOG.warn("{} (further hosts are only counted)", why.getMessage());
    }
  }

  /** Gives back every flow and request. */
  void close() {
    pool.close();
  }

  /** Carries what a copier tells to the reduce thread. Thread-safe. */
  private final class Outcome implements BatchFetch.Listener<K, V> {
    private final Conversation conversation;
    private final List<MapAttempt> asked;
    private final long askedMs;

    Outcome(Conversation conversation, List<MapAttempt> asked, long askedMs) {
      this.conversation = conversation;
      this.asked = asked;
      this.askedMs = askedMs;
    }

    @Override
    public void transportRefused(MapServer server, String why) {
      inbox.post(() -> serverRefused(server, why));
    }

    @Override
    public void encryptionRefused(EncryptionRefused why) {
      inbox.post(() -> ShuffleLoop.this.encryptionRefused(why));
    }

    @Override
    public void fetched(MapAttempt map, MapOutput<K, V> output, long bytes, long tookMs) {
      inbox.post(
          new Inbox.Step() {
            @Override
            public void take() throws IOException {
              ShuffleLoop.this.fetched(conversation, map, output, bytes, tookMs);
            }

            @Override
            public void discard() {
              output.abort();
            }
          });
    }

    @Override
    public void refused(MapAttempt map, MapOutputHeader.Failure why) {
      inbox.post(
          () -> {
            LOG.warn("{} cannot send the output of {}: {}", conversation.server(), map, why);
            counters.add(JobCounter.MAPS_REFUSED, 1);
            Blame.refused(plan, conversation.server(), map, why, now());
          });
    }

    @Override
    public void bad(MapAttempt map, FetchFault why) {
      inbox.post(
          () -> {
            LOG.warn("Bad output of {} from {}", map, conversation.server(), why);
            counters.error(why.kind());
            plan.unreadable(conversation.server(), map, now());
          });
    }

    @Override
    public void ended(BatchEnd end) {
      inbox.post(
          () -> {
            if (end instanceof BatchEnd.Complete) {
              pace(conversation).took(asked.size(), now() - askedMs);
            }
            if (copies != null) {
              copies.sharing().ended(asked);
            }
            ShuffleLoop.this.ended(conversation, end);
          });
    }

    @Override
    public void fatal(Throwable why) {
      inbox.reportException(why);
    }
  }
}
