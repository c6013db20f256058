/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pools of daemon threads. Their queues are as long as there are connections at most, for each
 * connection waits for one thing at a time. Immutable.
 */
final class ServerThreads {
  private static final Logger LOG = LoggerFactory.getLogger(ServerThreads.class);
  private static final long STOP_SECONDS = 5;

  private ServerThreads() {}

  static ExecutorService pool(int threads, String name) {
    AtomicInteger count = new AtomicInteger();
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            30,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /** Lets what runs finish, interrupts what does not, and waits. */
  static void stop(ExecutorService pool, String name) {
    pool.shutdown();
    try {
      if (!pool.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
        pool.shutdownNow();
        if (!pool.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
          LOG.warn("{} threads of the shuffle server do not stop; a disk may hang", name);
        }
      }
    } catch (InterruptedException e) {
      pool.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
