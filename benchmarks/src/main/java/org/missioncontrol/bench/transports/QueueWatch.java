/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.transports;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.bench.net.SwitchPort;

/** Looks at a queue again and again until it is closed. Owned by one thread. */
final class QueueWatch implements AutoCloseable {
  private static final long PAUSE_MS = 10;
  private static final double P95 = 0.95;

  private final SwitchPort port;
  private final List<Long> bytes = new ArrayList<>();
  private final Thread thread = new Thread(this::run, "bench-queue-watch");
  private volatile boolean closed;
  private volatile @Nullable IOException failure;

  QueueWatch(SwitchPort port) {
    this.port = port;
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      while (!closed) {
        bytes.add(port.backlogBytes());
        Thread.sleep(PAUSE_MS);
      }
    } catch (IOException e) {
      failure = e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Of the looks, after {@link #close}. */
  double p95() throws IOException {
    if (failure != null || bytes.isEmpty()) {
      throw new IOException("the queue of " + port.device() + " cannot be seen", failure);
    }
    List<Long> sorted = new ArrayList<>(bytes);
    Collections.sort(sorted);
    return sorted.get((int) Math.min(sorted.size() - 1L, (long) (sorted.size() * P95)));
  }

  @Override
  public void close() {
    closed = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
