/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.control;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The answers that are held back, one of each job at most: until what a job would be answered
 * changes, its wait is over, or a newer message of the job comes. Changes within {@value #GAP_MS}
 * ms or more are answered together, and those of weights and shares when the job's rest is over, so
 * that neither the host nor an ApplicationMaster is busy with them.
 *
 * <p>Time comes from the clock and timer that it is given. Thread-safe; answers are completed on
 * the thread that finds them due, outside of the lock.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of continuations, whose outcome is what they do
final class Polls {
  /** Least time between two rounds of answers, milliseconds. */
  static final long GAP_MS = 100;

  /** Each answer that waits makes the gap longer: so there are 500 answers each second at most. */
  private static final long GAP_MS_PER_WAITER = 2;

  /** Runs something later. Thread-safe. */
  @FunctionalInterface
  interface Timer {
    void schedule(Runnable task, long delayMs);
  }

  private final int most;
  private final LongSupplier nanoClock;
  private final Timer timer;
  private final Supplier<HostView> views;
  private final BiFunction<String, HostView, HostAnswer> answers;
  private final Consumer<String> waitsNoMore;

  // All below is guarded by this.
  private final Map<String, Waiter> waiters = new HashMap<>();
  private boolean dirty;
  private long changes;
  private long lastRoundMs;
  private long armedMs = Long.MAX_VALUE;

  /** When the rest of somebody for whom there is news is over. */
  private long restedMs = Long.MAX_VALUE;

  private record Waiter(
      String job,
      HostAnswer seen,
      long restedMs,
      long deadlineMs,
      CompletableFuture<HostAnswer> answer) {}

  /**
   * @param most answers that may be held back
   * @param answers what a job is answered in a view of the host
   * @param waitsNoMore hears of a job whose answer was given or cancelled, but not because of a
   *     newer message
   */
  Polls(
      int most,
      LongSupplier nanoClock,
      Timer timer,
      Supplier<HostView> views,
      BiFunction<String, HostView, HostAnswer> answers,
      Consumer<String> waitsNoMore) {
    this.most = most;
    this.nanoClock = nanoClock;
    this.timer = timer;
    this.views = views;
    this.answers = answers;
    this.waitsNoMore = waitsNoMore;
    this.lastRoundMs = now() - GAP_MS;
  }

  /** Counts what may have changed the answers. */
  synchronized long changes() {
    return changes;
  }

  /** Answers held back now. */
  synchronized int waiting() {
    return waiters.size();
  }

  /** Whether an answer is held back of a job that knows this state. */
  synchronized boolean waits(String job, @Nullable String seen) {
    Waiter waiter = waiters.get(job);
    return waiter != null && waiter.seen().state().equals(seen);
  }

  /**
   * Holds an answer back; cancelling it frees its place.
   *
   * @param seen what would be answered now
   * @param known state that the sender knows; where it is another than {@code seen}, an older
   *     message must wait here, whose answer tells the news, or this one is answered at once
   * @param changesSeen {@link #changes} from before {@code seen} was computed
   * @return null if too many are held back
   */
  @Nullable CompletableFuture<HostAnswer> hold(
      String job,
      HostAnswer seen,
      @Nullable String known,
      long waitMs,
      long restMs,
      long changesSeen) {
    if (!release(job) && !seen.state().equals(known)) {
      waitsNoMore.accept(job);
      return CompletableFuture.completedFuture(seen);
    }
    CompletableFuture<HostAnswer> answer = new CompletableFuture<>();
    synchronized (this) {
      if (waiters.size() >= most) {
        return null;
      }
      long now = now();
      Waiter waiter = new Waiter(job, seen, now + restMs, now + waitMs, answer);
      waiters.put(job, waiter);
      answer.whenComplete((done, failure) -> forget(waiter));
      arm(waiter.deadlineMs());
      if (changes != changesSeen) {
        dirty = true;
        arm(nextRound());
      }
    }
    return answer;
  }

  /**
   * Answers the one that a job has here, as a newer message of it has come.
   *
   * @return whether one waited, so that its answer is of now
   */
  boolean release(String job) {
    Waiter waiter;
    synchronized (this) {
      waiter = waiters.remove(job);
    }
    return waiter != null && waiter.answer().complete(answers.apply(job, views.get()));
  }

  /** Something that answers tell may have changed. Cheap while nobody waits. */
  synchronized void changed() {
    changes++;
    if (!waiters.isEmpty() && !dirty) {
      dirty = true;
      arm(nextRound());
    }
  }

  private void forget(Waiter waiter) {
    boolean waited;
    synchronized (this) {
      waited = waiters.remove(waiter.job(), waiter);
    }
    if (waited) {
      waitsNoMore.accept(waiter.job());
    }
  }

  private long nextRound() {
    long gap = GAP_MS + waiters.size() * GAP_MS_PER_WAITER;
    return Math.max(now(), lastRoundMs + gap);
  }

  private void arm(long atMs) {
    if (atMs < armedMs) {
      armedMs = atMs;
      timer.schedule(() -> look(atMs), Math.max(0, atMs - now()));
    }
  }

  private void look(long armedFor) {
    List<Waiter> due = new ArrayList<>();
    List<Waiter> asked = new ArrayList<>();
    synchronized (this) {
      if (armedFor != armedMs) {
        return;
      }
      armedMs = Long.MAX_VALUE;
      long now = now();
      if (now >= restedMs) {
        restedMs = Long.MAX_VALUE;
        dirty = true;
      }
      for (Iterator<Waiter> all = waiters.values().iterator(); all.hasNext(); ) {
        Waiter waiter = all.next();
        if (now >= waiter.deadlineMs()) {
          all.remove();
          due.add(waiter);
        }
      }
      if (dirty && now >= nextRound()) {
        dirty = false;
        lastRoundMs = now;
        asked.addAll(waiters.values());
      }
    }
    answer(due, asked);
    synchronized (this) {
      waiters.values().stream().mapToLong(Waiter::deadlineMs).min().ifPresent(this::arm);
      if (restedMs < Long.MAX_VALUE) {
        arm(restedMs);
      }
      if (dirty) {
        arm(nextRound());
      }
    }
  }

  private void answer(List<Waiter> due, List<Waiter> asked) {
    if (due.isEmpty() && asked.isEmpty()) {
      return;
    }
    HostView view = views.get();
    for (Waiter waiter : due) {
      waitsNoMore.accept(waiter.job());
      waiter.answer().complete(answers.apply(waiter.job(), view));
    }
    for (Waiter waiter : asked) {
      HostAnswer answer = answers.apply(waiter.job(), view);
      if (answer.state().equals(waiter.seen().state())) {
        continue;
      }
      if (now() < waiter.restedMs() && answer.tellsOnlyShares(waiter.seen())) {
        rest(waiter.restedMs());
      } else {
        waiter.answer().complete(answer);
      }
    }
  }

  private synchronized void rest(long untilMs) {
    if (untilMs < restedMs) {
      restedMs = untilMs;
      arm(untilMs);
    }
  }

  private long now() {
    return TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong());
  }
}
