/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.scheduler.control.HostView;
import org.missioncontrol.scheduler.control.TransferDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Mission Controller of one job: looks at the job at each poll interval, announces its transfer
 * to the NodeManagers that run its reducers, keeps their views, and has them forget it when they
 * need it no more. One daemon thread decides; a few others carry the calls. Ends with the job.
 * Thread-safe.
 */
final class MissionController implements AutoCloseable {
  /** Calls that may be under way at once. */
  static final int SLOTS = 8;

  private static final Logger LOG = LoggerFactory.getLogger(MissionController.class);

  private final Supplier<@Nullable JobLook> job;
  private final JobSettings settings;
  private final ControlClient client;
  private final Complaints complaints;
  private final Runnable onEnd;
  private final AnnouncePlan plan;
  private final PartitionSizes sizes = new PartitionSizes();
  private final ThreadPoolExecutor carriers;
  private final BlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
  private final Map<Node, HostView> views = new ConcurrentHashMap<>();
  private final Thread thread = new Thread(this::run, "mission-controller");
  private volatile boolean closing;
  private @Nullable JobLook last;
  private boolean ended;
  private long announcements;
  private long failures;

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
    this.plan = new AnnouncePlan(settings.am().announceIntervalMs(), SLOTS);
    this.carriers =
        new ThreadPoolExecutor(
            SLOTS,
            SLOTS,
            5,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            MissionController::carrier);
    carriers.allowCoreThreadTimeOut(true);
    guard(thread);
  }

  void start() {
    thread.start();
  }

  /** The newest view of each NodeManager that answered. */
  Map<Node, HostView> views() {
    return Map.copyOf(views);
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
      onEnd.run();
    }
  }

  private void loop() throws InterruptedException {
    long nextLook = now();
    while (!closing && !(ended && plan.isQuiet())) {
      Runnable event = events.poll(Math.max(0, nextLook - now()), TimeUnit.MILLISECONDS);
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
          settings.weight(),
          settings.transport());
    }
    last = look;
    ended = look.ended();
    plan.want(sizes.audience(look), meaning(look), now());
  }

  /** The descriptor but for what changes with each task: that can wait for the interval. */
  private Object meaning(JobLook look) {
    return new JobLook(
            look.job(),
            false,
            look.user(),
            look.queue(),
            0,
            Map.of(),
            Map.of(),
            0,
            look.transferClass())
        .describe(settings);
  }

  private void begin(Call call) {
    JobLook look = last;
    if (look == null) {
      throw new IllegalStateException("a call before the first look: " + call);
    }
    TransferDescriptor transfer = look.describe(settings).with(sizes.tell(call.node(), look));
    carriers.execute(
        () -> {
          Outcome outcome = new Outcome.Failed("error", "the caller itself failed");
          try {
            outcome = carry(call, transfer);
          } finally {
            Outcome end = outcome;
            events.add(() -> ended(call, end));
          }
        });
  }

  private Outcome carry(Call call, TransferDescriptor transfer) {
    try {
      return call.kind() == Call.Kind.ANNOUNCE
          ? client.announce(call.node(), transfer)
          : client.withdraw(call.node(), transfer.job());
    } catch (RuntimeException | LinkageError e) {
      return new Outcome.Failed(e.getClass().getName(), e.toString());
    }
  }

  private void ended(Call call, Outcome outcome) {
    plan.ended(call, outcome, now());
    if (call.kind() == Call.Kind.ANNOUNCE) {
      announcements++;
    }
    if (outcome instanceof Outcome.Accepted accepted && call.kind() == Call.Kind.ANNOUNCE) {
      sizes.learn(call.node(), accepted.view().stored());
      keep(call.node(), accepted.view());
    } else if (outcome instanceof Outcome.Stock stock) {
      complaints.once(
          "stock",
          call.node()
              + " answers "
              + stock.status()
              + " as a stock shuffle handler does; it shares"
              + " no flows");
    } else if (outcome instanceof Outcome.Failed failed) {
      failures++;
      complaints.once(
          "call " + failed.kind(),
          call.node() + " did not take " + call.kind() + "; it is asked again: " + failed.reason());
    }
  }

  private void keep(Node node, HostView view) {
    if (views.put(node, view) != null || last == null) {
      return;
    }
    String name = last.job();
    int share =
        view.transfers().stream()
            .filter(transfer -> transfer.job().equals(name))
            .mapToInt(HostView.TransferView::share)
            .sum();
    LOG.info("{} has a budget of {} flows; share of {} now: {}", node, view.budget(), name, share);
  }

  /** Withdraws what is still announced, bounded by one call timeout. */
  private void farewell() {
    JobLook look = last;
    if (look != null) {
      for (Node node : plan.mayKnow()) {
        carriers.execute(() -> client.withdraw(node, look.job()));
      }
    }
    carriers.shutdown();
    try {
      if (!carriers.awaitTermination(settings.am().callTimeoutMs(), TimeUnit.MILLISECONDS)) {
        carriers.shutdownNow();
      }
    } catch (InterruptedException e) {
      carriers.shutdownNow();
    }
    if (look != null) {
      LOG.info(
          "Mission Control ends with {}: {} NodeManagers, {} announcements, {} failures",
          look.job(),
          views.size(),
          announcements,
          failures);
    }
  }

  private static Thread carrier(Runnable work) {
    return guard(new Thread(work, "mission-control-call"));
  }

  /** INVARIANT: no error here reaches the ApplicationMaster's own handler, which ends the JVM. */
  private static Thread guard(Thread ours) {
    ours.setDaemon(true);
    ours.setUncaughtExceptionHandler(
        (dead, error) -> LOG.warn("{} died; the job runs on", dead.getName(), error));
    return ours;
  }

  private static long now() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }
}
