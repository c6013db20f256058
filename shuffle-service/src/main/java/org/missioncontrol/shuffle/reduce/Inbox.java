/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.io.IOException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.mapreduce.task.reduce.ExceptionReporter;
import org.jspecify.annotations.Nullable;

/**
 * By which event loops, copiers, poller and merge threads speak to the reduce thread, the only one
 * that acts on what they say. Thread-safe.
 */
final class Inbox implements ExceptionReporter {
  /** Something to do on the reduce thread. */
  interface Step {
    void take() throws IOException;

    /** Not taken, or failed: gives back what the step still holds. */
    default void discard() {}
  }

  private record Failure(String thread, Throwable cause) {}

  private final LinkedBlockingQueue<Step> steps = new LinkedBlockingQueue<>();
  private final AtomicReference<@Nullable Failure> failure = new AtomicReference<>();
  private boolean closed;

  void post(Step step) {
    synchronized (this) {
      if (!closed) {
        steps.add(step);
        return;
      }
    }
    step.discard();
  }

  /** The reducer cannot go on; the first reason wins. */
  @Override
  public void reportException(Throwable why) {
    failure.compareAndSet(null, new Failure(Thread.currentThread().getName(), why));
    post(() -> {});
  }

  /** Does what has been posted, waiting for the first of it. */
  void work(long waitMs) throws IOException, InterruptedException {
    Step step = steps.poll(waitMs, TimeUnit.MILLISECONDS);
    while (step != null) {
      try {
        check();
        step.take();
      } catch (IOException | RuntimeException | Error e) {
        step.discard();
        throw e;
      }
      step = steps.poll();
    }
    check();
  }

  /** Throws what was reported. */
  void check() throws IOException {
    Failure reported = failure.get();
    if (reported != null) {
      throw new IOException(
          "error in shuffle in " + reported.thread() + ": " + reported.cause(), reported.cause());
    }
  }

  /** Discards all steps, posted and to come. */
  void close() {
    synchronized (this) {
      closed = true;
    }
    for (Step step = steps.poll(); step != null; step = steps.poll()) {
      step.discard();
    }
  }
}
