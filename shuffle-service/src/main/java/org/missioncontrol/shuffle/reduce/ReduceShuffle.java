/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.io.IOException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskStatus;
import org.apache.hadoop.mapreduce.task.reduce.ExceptionReporter;
import org.apache.hadoop.mapreduce.task.reduce.MergeManager;
import org.apache.hadoop.mapreduce.task.reduce.MergeManagerImpl;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleClientMetrics;
import org.apache.hadoop.util.Time;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.conf.BroadcastConfig;
import org.missioncontrol.conf.Encryption;
import org.missioncontrol.conf.EventsConfig;
import org.missioncontrol.conf.FetchConfig;
import org.missioncontrol.conf.TransferConfig;
import org.missioncontrol.shuffle.flow.FlowCounters;
import org.missioncontrol.shuffle.flow.TaskIdentity;
import org.missioncontrol.transport.Transport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One reducer's shuffle from first event to merged iterator. Used once, by the reduce thread. */
public final class ReduceShuffle<K, V> {
  private static final Logger LOG = LoggerFactory.getLogger(ReduceShuffle.class);

  private final ShuffleConsumerPlugin.Context<K, V> context;
  private final JobConf job;
  private final FetchConfig config;
  private final BroadcastConfig broadcast;
  private final Transport transport;
  private final Encryption encryption;
  private final @Nullable String localDirs;
  private final @Nullable String host;
  private final Asking asking;
  private final Function<ExceptionReporter, MergeManager<K, V>> mergers;
  private final LongSupplier clock = Time::monotonicNow;

  /**
   * How the ApplicationMaster is asked. Immutable.
   *
   * @param slowestMs most time between two questions
   */
  record Asking(long slowestMs, CompletionPoller.Patience patience) {
    static final Asking STOCK = new Asking(EventPace.STOCK_MS, CompletionPoller.Patience.STOCK);
  }

  /**
   * Reads the job's keys.
   *
   * @param localDirs the task's environment variable LOCAL_DIRS, which leads to its NodeManager's
   *     door; null when there is none
   */
  public ReduceShuffle(ShuffleConsumerPlugin.Context<K, V> context, @Nullable String localDirs) {
    this(context, localDirs, reporter -> merger(context, reporter));
  }

  /**
   * Merges in another way than Hadoop does.
   *
   * @param mergers makes the merge; it tells the reporter what goes wrong in threads of its own
   */
  public ReduceShuffle(
      ShuffleConsumerPlugin.Context<K, V> context,
      @Nullable String localDirs,
      Function<ExceptionReporter, MergeManager<K, V>> mergers) {
    this(context, localDirs, System.getenv(Environment.NM_HOST.name()), mergers, Asking.STOCK);
  }

  ReduceShuffle(
      ShuffleConsumerPlugin.Context<K, V> context,
      @Nullable String localDirs,
      @Nullable String host,
      Asking asking) {
    this(context, localDirs, host, reporter -> merger(context, reporter), asking);
  }

  private ReduceShuffle(
      ShuffleConsumerPlugin.Context<K, V> context,
      @Nullable String localDirs,
      @Nullable String host,
      Function<ExceptionReporter, MergeManager<K, V>> mergers,
      Asking asking) {
    this.mergers = mergers;
    this.context = context;
    this.job = context.getJobConf();
    this.config = FetchConfig.from(job);
    this.broadcast = BroadcastConfig.from(job);
    this.transport = new Transport(TransferConfig.from(job).transport());
    this.encryption = Encryption.from(job);
    this.localDirs = localDirs;
    this.host = host;
    this.asking = asking;
  }

  /** Fetches and merges; whatever happens, no connection and no fetching thread is left. */
  public RawKeyValueIterator run() throws IOException, InterruptedException {
    Inbox inbox = new Inbox();
    MergeThreads threads = new MergeThreads();
    boolean merged = false;
    try {
      MergeManager<K, V> merger = threads.startIn(() -> mergers.apply(inbox));
      copy(merger, inbox, threads);
      context.getCopyPhase().complete();
      context.getStatus().setPhase(TaskStatus.Phase.SORT);
      context.getReduceTask().statusUpdate(context.getUmbilical());
      RawKeyValueIterator result = merge(merger);
      inbox.check();
      merged = true;
      return result;
    } finally {
      inbox.close();
      if (!merged) {
        threads.stop();
      }
    }
  }

  private static <K, V> MergeManager<K, V> merger(
      ShuffleConsumerPlugin.Context<K, V> context, ExceptionReporter reporter) {
    return new MergeManagerImpl<>(
        context.getReduceId(),
        context.getJobConf(),
        context.getLocalFS(),
        context.getLocalDirAllocator(),
        context.getReporter(),
        context.getCodec(),
        context.getCombinerClass(),
        context.getCombineCollector(),
        context.getSpilledRecordsCounter(),
        context.getReduceCombineInputCounter(),
        context.getMergedMapOutputsCounter(),
        reporter,
        context.getMergePhase(),
        context.getMapOutputFile());
  }

  @SuppressWarnings("IllegalCatch")
  private static <K, V> RawKeyValueIterator merge(MergeManager<K, V> merger)
      throws IOException, InterruptedException {
    try {
      return merger.close();
    } catch (InterruptedException e) {
      throw e;
    } catch (Throwable e) {
      throw new IOException("error in shuffle: the final merge failed: " + e, e);
    }
  }

  private void copy(MergeManager<K, V> merger, Inbox inbox, MergeThreads threads)
      throws IOException, InterruptedException {
    TaskAttemptID reduce = TaskAttemptID.downgrade(context.getReduceId());
    TaskIdentity task =
        new TaskIdentity(
            reduce.getJobID().toString(),
            reduce.toString(),
            context.getReduceTask().getShuffleSecret());
    int maps = job.getNumMapTasks();
    FlowCounters flowCounters = new FlowCounters();
    FetchPlan plan =
        new FetchPlan(
            RetryPolicy.from(config), maps, reduce.getTaskID().getId(), clock.getAsLong());
    FetchCounters counters = new FetchCounters(context, flowCounters);
    CompletionPoller poller =
        poller(reduce, maps, new CompletionSteps(plan, inbox, clock, ownRack()));
    try (Plumbing plumbing =
        new Plumbing(job, config, transport, encryption, task, localDirs, flowCounters, threads)) {
      Function<MapServer, Conversation> conversations =
          server ->
              new Conversation(server, task.secret(), plumbing.guard(), config.copierReadsFrom());
      MergeFeed<K, V> feed = feed(merger);
      CopyProgress progress = new CopyProgress(context.getCopyPhase(), context.getStatus(), maps);
      HostSharing sharing = plumbing.share(broadcast, localDirs, host);
      FetchParts<K, V> parts =
          new FetchParts<>(plan, inbox, feed, plumbing.copiers(), counters, progress, clock);
      CopyReader<K, V> copies =
          sharing == null ? null : new CopyReader<>(parts, sharing, config.parallelCopies());
      LocalReader<K, V> local = localReader(plumbing, reduce, parts);
      ShuffleLoop<K, V> loop =
          new ShuffleLoop<>(
              parts,
              limits(reduce),
              asker(task, reduce),
              plumbing.source(),
              conversations,
              context.getStatus(),
              context.getReporter(),
              copies,
              local);
      plumbing.start("mission-control-events", poller);
      begins(maps, reduce, counters);
      long start = clock.getAsLong();
      try {
        loop.run();
      } finally {
        loop.close();
        summary(plan, counters, clock.getAsLong() - start);
      }
    }
  }

  /** Null if outputs of this host are fetched as all others. */
  private @Nullable LocalReader<K, V> localReader(
      Plumbing plumbing, TaskAttemptID reduce, FetchParts<K, V> parts) {
    if (!config.localFiles() || host == null) {
      return null;
    }
    LocalReader<K, V> local =
        new LocalReader<>(
            plumbing.source().files(), host, partition(reduce), config.readTimeoutMs(), parts);
    parts.plan().keepApart(local::reads);
    return local;
  }

  private CompletionPoller poller(
      TaskAttemptID reduce, int maps, CompletionPoller.Listener listener) {
    int reducers = job.getNumReduceTasks();
    long quickestMs = EventPace.quickest(reducers, EventsConfig.from(job).mostPerSecond());
    return new CompletionPoller(
        context.getUmbilical(),
        reduce,
        maps,
        reducers,
        new EventPace(quickestMs, asking.slowestMs(), clock.getAsLong()),
        asking.patience(),
        clock,
        listener);
  }

  private MapOutputRequest.Asker asker(TaskIdentity task, TaskAttemptID reduce) {
    return new MapOutputRequest.Asker(
        task.job(), partition(reduce), task.secret(), encryption == Encryption.REQUIRED);
  }

  private MergeFeed<K, V> feed(MergeManager<K, V> merger) throws IOException {
    return new MergeFeed<>(
        merger,
        job,
        context.getCodec() != null,
        ShuffleClientMetrics.create(context.getReduceId(), job),
        context.getReporter());
  }

  private @Nullable OwnRack ownRack() {
    return config.ownRackFirst() && host != null ? new OwnRack(job, host) : null;
  }

  /** Of a broadcast all is in the first partition, and every reducer reads that one. */
  private int partition(TaskAttemptID reduce) {
    return broadcast.broadcast() ? 0 : reduce.getTaskID().getId();
  }

  private void begins(int maps, TaskAttemptID reduce, FetchCounters counters) {
    boolean whole = broadcast.broadcast();
    counters.add(whole ? JobCounter.BROADCAST_REDUCERS : JobCounter.SHUFFLE_REDUCERS, 1);
    LOG.info(
        "Fetching {} map outputs of a {} as {}, transport {}, encryption {}",
        maps,
        whole ? "broadcast" : "shuffle",
        reduce,
        transport.name(),
        config.sslEnabled() ? "by HTTPS" : encryption);
  }

  private ShuffleLoop.Limits limits(TaskAttemptID reduce) {
    int mapsInLine = MapOutputRequest.most(new MapAttempt(reduce.toString() + "00", 0));
    return new ShuffleLoop.Limits(
        new FlowDemand.Bounds(config.parallelCopies(), config.flowsPerMapHost()),
        Math.min(config.mapsPerBatch(), mapsInLine),
        config.leaseTargetMs(),
        config.readTimeoutMs());
  }

  private static void summary(FetchPlan plan, FetchCounters counters, long tookMs) {
    long leased = counters.value(JobCounter.LEASED_BYTES);
    long copied = counters.value(JobCounter.COPIED_BYTES);
    long local = counters.value(JobCounter.LOCAL_BYTES);
    long bytes = leased + copied + local + counters.value(JobCounter.PLAIN_BYTES);
    if (copied > 0) {
      LOG.info("{} bytes of the broadcast had been fetched by other reducers here", copied);
    }
    LOG.info(
        "Fetched {} map outputs, {} bytes ({} over leased flows, {} encrypted, {} from files of"
            + " this host), from {} hosts in {} ms; {} failures, {} penalties",
        plan.finishedMaps(),
        bytes,
        leased,
        counters.value(JobCounter.ENCRYPTED_BYTES),
        local,
        plan.hosts(),
        tookMs,
        plan.failures(),
        plan.penalties());
  }
}
