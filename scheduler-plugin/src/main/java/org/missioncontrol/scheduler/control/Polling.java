/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.control;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** With what clock, on what timer and how many answers are held back. Immutable. */
@SuppressWarnings("FutureReturnValueIgnored") // of continuations, whose outcome is what they do
public final class Polling {
  private final int most;
  private final LongSupplier nanoClock;
  private final Polls.Timer timer;

  Polling(int most, LongSupplier nanoClock, Polls.Timer timer) {
    this.most = most;
    this.nanoClock = nanoClock;
    this.timer = timer;
  }

  /**
   * On an executor, which stays the caller's.
   *
   * @param most answers held back at once
   */
  public static Polling on(ScheduledExecutorService executor, LongSupplier nanoClock, int most) {
    return new Polling(
        most,
        nanoClock,
        (task, delayMs) -> {
          if (!executor.isShutdown()) {
            executor.schedule(task, delayMs, TimeUnit.MILLISECONDS);
          }
        });
  }

  Polls polls(
      Supplier<HostView> views,
      BiFunction<String, HostView, HostAnswer> answers,
      Consumer<String> waitsNoMore) {
    return new Polls(most, nanoClock, timer, views, answers, waitsNoMore);
  }
}
