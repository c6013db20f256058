/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.mapred.JobConf;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.conf.BroadcastConfig;
import org.missioncontrol.conf.Encryption;
import org.missioncontrol.conf.FetchConfig;
import org.missioncontrol.shuffle.broadcast.HostCopies;
import org.missioncontrol.shuffle.flow.FlowCounters;
import org.missioncontrol.shuffle.flow.FlowSource;
import org.missioncontrol.shuffle.flow.FlowSources;
import org.missioncontrol.shuffle.flow.TaskIdentity;
import org.missioncontrol.transport.Channels;
import org.missioncontrol.transport.Transport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a shuffle opens and must close again: event loops, flows, copiers, TLS, threads; closed in
 * the reverse order of opening, also when opening fails half-way. Owned by the reduce thread.
 */
final class Plumbing implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Plumbing.class);
  private static final int MAX_LOOPS = 2;
  private static final long STOP_SECONDS = 10;
  private static final long MEGABYTE = 1 << 20;

  private interface Closing {
    void close() throws InterruptedException;
  }

  private final Deque<Closing> closings = new ArrayDeque<>();
  private final MergeThreads threads;
  private final @Nullable Guard guard;
  private final FlowSource source;
  private final Executor copiers;

  Plumbing(
      JobConf job,
      FetchConfig config,
      Transport transport,
      Encryption encryption,
      TaskIdentity task,
      @Nullable String localDirs,
      FlowCounters flows,
      MergeThreads threads)
      throws IOException {
    this.threads = threads;
    boolean opened = false;
    try {
      guard = guard(job, config, encryption, task);
      if (guard != null) {
        closings.push(guard::close);
      }
      Channels channels = Channels.detect();
      EventLoopGroup loops =
          channels.newEventLoopGroup(
              Math.min(MAX_LOOPS, config.parallelCopies()), "mission-control-fetch");
      closings.push(() -> stop(loops));
      ExecutorService pool = copierPool();
      closings.push(() -> stop(pool));
      copiers = pool;
      source = FlowSources.open(channels, loops, task, localDirs, transport, config, flows);
      closings.push(source::close);
      opened = true;
    } finally {
      if (!opened) {
        close();
      }
    }
  }

  private ExecutorService copierPool() {
    AtomicInteger number = new AtomicInteger();
    return new ThreadPoolExecutor(
        0,
        Integer.MAX_VALUE,
        STOP_SECONDS,
        TimeUnit.SECONDS,
        new SynchronousQueue<>(),
        work -> threads.newThread("mission-control-copier-" + number.incrementAndGet(), work));
  }

  private static @Nullable Guard guard(
      JobConf job, FetchConfig config, Encryption encryption, TaskIdentity task)
      throws IOException {
    if (config.sslEnabled()) {
      return new Tls(job);
    }
    return encryption == Encryption.OFF
        ? null
        : new SecretTls(task.job(), task.secret(), encryption == Encryption.REQUIRED);
  }

  /** What encrypts; null if nothing does. */
  @Nullable Guard guard() {
    return guard;
  }

  FlowSource source() {
    return source;
  }

  Executor copiers() {
    return copiers;
  }

  /** Shares a broadcast with the job's other reducers on this host; null if it is not to be. */
  @Nullable HostSharing share(
      BroadcastConfig broadcast, @Nullable String localDirs, @Nullable String ownHost) {
    if (!broadcast.broadcast() || broadcast.reduces() < 2 || broadcast.cacheMb() == 0) {
      return null;
    }
    try {
      String[] directories = localDirs == null ? new String[0] : localDirs.split(",", -1);
      HostCopies copies =
          HostCopies.open(
              Arrays.stream(directories).map(Path::of).toList(), broadcast.cacheMb() * MEGABYTE);
      HostSharing sharing = new HostSharing(copies, ownHost);
      closings.push(sharing::close);
      LOG.info(
          "Reducers of the broadcast on this host share map outputs in {}, {} MB at most",
          copies,
          broadcast.cacheMb());
      return sharing;
    } catch (IOException e) {
      LOG.warn("Map outputs of the broadcast are not shared on this host: {}", e.toString(), e);
      return null;
    }
  }

  /** Runs {@code work} on a thread that is interrupted and awaited at the end. */
  void start(String name, Runnable work) {
    Thread thread = threads.newThread(name, work);
    thread.start();
    closings.push(
        () -> {
          thread.interrupt();
          thread.join(TimeUnit.SECONDS.toMillis(STOP_SECONDS));
        });
  }

  private static void stop(ExecutorService pool) throws InterruptedException {
    pool.shutdownNow();
    if (!pool.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
      LOG.warn("A copier did not end within {} s", STOP_SECONDS);
    }
  }

  private static void stop(EventLoopGroup loops) throws InterruptedException {
    if (!loops
        .shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS)
        .await(STOP_SECONDS, TimeUnit.SECONDS)) {
      LOG.warn("The event loops did not end within {} s", STOP_SECONDS);
    }
  }

  @Override
  public void close() {
    boolean interrupted = Thread.interrupted();
    while (!closings.isEmpty()) {
      try {
        closings.pop().close();
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (RuntimeException e) {
        LOG.warn("Cannot close a part of the shuffle", e);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
