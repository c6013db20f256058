/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.scheduler.control.Announcement;
import org.missioncontrol.scheduler.control.HostView;
import org.missioncontrol.scheduler.control.TransferDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Mission Controller of one job: looks at the job at each poll interval, announces its transfer
 * to the NodeManagers that run its reducers, hears their news, and has them forget it when they
 * need it no more. One daemon thread decides. Ends with the job. Thread-safe.
 */
final class MissionController implements AutoCloseable {
  /** Calls that may be under way at once, without those that wait for news. */
  static final int SLOTS = 64;

  private static final Logger LOG = LoggerFactory.getLogger(MissionController.class);

  private final Supplier<@Nullable JobLook> job;
  private final JobSettings settings;
  private final ControlClient client;
  private final Complaints complaints;
  private final Runnable onEnd;
  private final AnnouncePlan plan;
  private final PartitionSizes sizes = new PartitionSizes();
  private final Flights flights;
  private final Reports reports;
  private final BlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
  private final Thread thread = new Thread(this::run, "mission-controller");
  private volatile boolean closing;
  private @Nullable JobLook last;
  private boolean ended;

  /** A controller that is not started; {@code onEnd} runs on its thread when it has ended. */
  MissionController(
      Supplier<@Nullable JobLook> job,
      JobSettings settings,
      ControlClient client,
      Complaints complaints,
      Runnable onEnd) {
    this.job = job;
    this.settings = settings;
    this.client = client;
    this.complaints = complaints;
    this.onEnd = onEnd;
    this.plan =
        new AnnouncePlan(settings.am().announceIntervalMs(), SLOTS, settings.am().callTimeoutMs());
    this.flights = new Flights(settings, LOG::info, LOG::warn);
    this.reports = new Reports(complaints, LOG);
    // INVARIANT: no error here reaches the ApplicationMaster's own handler, which ends the JVM.
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler(
        (dead, error) -> LOG.warn("{} died; the job runs on", dead.getName(), error));
  }

  void start() {
    thread.start();
  }

  /** The newest view of each NodeManager that answered. */
  Map<Node, HostView> views() {
    return reports.views();
  }

  /** Whether its thread is at work. */
  boolean isRunning() {
    return thread.isAlive();
  }

  /** Has all NodeManagers forget the transfer, as far as one call timeout allows, and ends. */
  @Override
  public void close() {
    closing = true;
    events.add(() -> {});
    try {
      thread.join(settings.am().callTimeoutMs() + 500L);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      loop();
    } catch (InterruptedException e) {
      LOG.debug("Interrupted", e);
    } finally {
      farewell();
      client.close();
      onEnd.run();
    }
  }

  private void loop() throws InterruptedException {
    long nextLook = now();
    while (!closing && !(ended && plan.isQuiet())) {
      long pause = Math.max(0, Math.min(nextLook - now(), plan.untilDue(now())));
      Runnable event = events.poll(pause, TimeUnit.MILLISECONDS);
      boolean lookNow = now() >= nextLook;
      if (lookNow) {
        nextLook = now() + settings.am().pollIntervalMs();
      }
      try {
        for (; event != null; event = events.poll()) {
          event.run();
        }
        if (lookNow) {
          look();
        }
        plan.due(now()).forEach(this::begin);
      } catch (RuntimeException | LinkageError e) {
        complaints.once("controller " + e.getClass().getName(), "The controller goes on: " + e);
      }
    }
  }

  private void look() {
    JobLook look = job.get();
    if (look == null) {
      return;
    }
    if (last == null) {
      LOG.info(
          "Mission Control announces the {} of {}: weight {}, transport {}",
          look.describe(settings).transferClass(),
          look.job(),
          flights.weight(),
          flights.transport());
    }
    last = look;
    ended = look.ended();
    plan();
  }

  /** What the nodes shall know, but for what changes with each task: that can wait for a poll. */
  private void plan() {
    JobLook look = last;
    if (look != null) {
      plan.want(sizes.audience(look), flights.describe(look).withoutProgress(), now());
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // of the continuation, which cannot fail
  private void begin(Call call) {
    JobLook look = last;
    if (look == null) {
      throw new IllegalStateException("a call before the first look: " + call);
    }
    carry(call, flights.describe(look).with(sizes.tell(call.node(), look)))
        .whenComplete(
            (outcome, failure) ->
                events.add(
                    () ->
                        ended(
                            call,
                            failure == null
                                ? outcome
                                : new Outcome.Failed("error", failure.toString()))));
  }

  private CompletableFuture<Outcome> carry(Call call, TransferDescriptor transfer) {
    try {
      String seen = reports.state(call.node());
      return switch (call.kind()) {
        case WITHDRAW -> client.withdraw(call.node(), transfer.job());
        case ANNOUNCE -> client.announce(call.node(), Announcement.now(transfer, flights.order()));
        case POLL, UPDATE ->
            client.announce(
                call.node(),
                Announcement.poll(transfer, flights.order(), seen, plan.waitMs(), plan.restMs()));
      };
    } catch (RuntimeException | LinkageError e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void ended(Call call, Outcome outcome) {
    JobLook look = last;
    boolean counts = plan.ended(call, outcome, now());
    if (!counts || look == null) {
      return;
    }
    reports.ended(look.job(), call, outcome);
    if (call.kind() == Call.Kind.WITHDRAW) {
      flights.left(call.node());
    } else if (outcome instanceof Outcome.Accepted accepted) {
      sizes.learn(call.node(), accepted.answer().view().stored());
      if (flights.heard(look.job(), call.node(), accepted.answer())) {
        plan();
      }
    }
  }

  /** Withdraws what is still announced, bounded by one call timeout. */
  private void farewell() {
    JobLook look = last;
    if (look == null) {
      return;
    }
    Stream<CompletableFuture<Outcome>> withdrawals =
        plan.mayKnow().stream().map(node -> client.withdraw(node, look.job()));
    try {
      CompletableFuture.allOf(withdrawals.toArray(CompletableFuture<?>[]::new))
          .completeOnTimeout(null, settings.am().callTimeoutMs(), TimeUnit.MILLISECONDS)
          .join();
    } catch (RuntimeException | LinkageError e) {
      LOG.debug("Not every NodeManager heard the farewell", e);
    }
    flights.landed();
    reports.summarize(look.job());
  }

  private static long now() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }
}
