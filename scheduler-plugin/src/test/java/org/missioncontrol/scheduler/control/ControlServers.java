/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.control;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.missioncontrol.scheduler.security.JobSecrets;

/** A NodeManager's end of the control messages in virtual time. */
public final class ControlServers {
  private final PriorityQueue<Later> later =
      new PriorityQueue<>(Comparator.comparingLong(Later::atMs).thenComparingLong(Later::number));
  private long nowMs = 1_000_000;
  private long numbers;

  private record Later(long atMs, long number, Runnable task) {}

  /** One in real time that takes messages to any address, and no orders. */
  public static ControlServer of(JobSecrets secrets, TransferRegistry registry) {
    return new ControlServer(
        secrets,
        receiver -> true,
        registry,
        none(secrets),
        new Polling(
            1000,
            System::nanoTime,
            (task, delayMs) ->
                CompletableFuture.delayedExecutor(delayMs, TimeUnit.MILLISECONDS).execute(task)));
  }

  static Orders none(JobSecrets secrets) {
    return new Orders(null, secrets, (job, order) -> null, job -> {}, () -> 0);
  }

  ControlServer server(
      JobSecrets secrets,
      Predicate<String> addressedHere,
      TransferRegistry registry,
      Orders orders,
      int most) {
    return new ControlServer(secrets, addressedHere, registry, orders, polling(most));
  }

  Polling polling(int most) {
    return new Polling(most, () -> TimeUnit.MILLISECONDS.toNanos(nowMs), this::schedule);
  }

  void schedule(Runnable task, long delayMs) {
    later.add(new Later(nowMs + delayMs, numbers++, task));
  }

  long nowMs() {
    return nowMs;
  }

  /** Lets time pass, and everything happen that is due by then. */
  void pass(long ms) {
    long until = nowMs + ms;
    while (!later.isEmpty() && later.peek().atMs() <= until) {
      Later next = later.remove();
      nowMs = Math.max(nowMs, next.atMs());
      next.task().run();
    }
    nowMs = until;
  }
}
