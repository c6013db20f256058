/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.store;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.missioncontrol.scheduler.control.StoredBytes;

/**
 * Bytes by partition of the map outputs that lie on this host, for the jobs that ask. Each index is
 * read once, on a thread of its own; a job is looked at again at most once a second. Thread-safe,
 * does not block.
 */
public final class PartitionTally implements AutoCloseable {
  private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long IDLE_SECONDS = 10;

  private final List<String> localDirs;
  private final LongSupplier nanos;
  private final ConcurrentMap<String, JobTally> jobs = new ConcurrentHashMap<>();
  private final ThreadPoolExecutor reader;

  /**
   * @param localDirs value of {@code yarn.nodemanager.local-dirs}, as paths
   * @param nanos as {@link System#nanoTime}
   */
  public PartitionTally(List<String> localDirs, LongSupplier nanos) {
    this.localDirs = List.copyOf(localDirs);
    this.nanos = nanos;
    this.reader =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            work -> {
              Thread thread = new Thread(work, "mission-control-tally");
              thread.setDaemon(true);
              return thread;
            });
    reader.allowCoreThreadTimeOut(true);
  }

  /** What has been counted of a job until now; looks for more in the background. */
  public StoredBytes count(String job, String user) {
    JobTally tally = jobs.computeIfAbsent(job, id -> new JobTally(id, user));
    if (!reader.isShutdown() && tally.mayLook(nanos.getAsLong(), REST_NANOS)) {
      reader.execute(() -> tally.look(localDirs));
    }
    return tally.counted();
  }

  /** Forgets a job. */
  public void forget(String job) {
    jobs.remove(job);
  }

  @Override
  public void close() {
    reader.shutdownNow();
  }
}
