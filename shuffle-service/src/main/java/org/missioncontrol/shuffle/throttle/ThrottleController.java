/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.conf.AdminRules;
import org.missioncontrol.conf.Keys.Sharing;
import org.missioncontrol.conf.ThrottleConfig;
import org.missioncontrol.scheduler.control.ControlProtocol;
import org.missioncontrol.scheduler.control.HostView;
import org.missioncontrol.scheduler.control.HostView.TransferView;
import org.missioncontrol.scheduler.control.TransferDescriptor;
import org.missioncontrol.scheduler.control.TransferRegistry;
import org.missioncontrol.scheduler.security.JobSecrets;
import org.missioncontrol.shuffle.throttle.ThrottleBooks.JobLine;
import org.missioncontrol.shuffle.throttle.ThrottleSnapshot.JobFlows;
import org.missioncontrol.shuffle.throttle.ThrottleSnapshot.LeasedFlow;
import org.missioncontrol.transport.Channels;
import org.missioncontrol.transport.Connector;
import org.missioncontrol.transport.HostNames;
import org.missioncontrol.transport.HostTraits;
import org.missioncontrol.transport.PathFacts;
import org.missioncontrol.transport.TransportDecision;
import org.missioncontrol.transport.TransportTable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns a host's fetch flows: shares its budget between jobs by weighted max-min over demand, opens
 * each connection, and hands it out for one batch. Without epoll, or with the door disabled, it
 * keeps its books and nobody comes. Thread-safe; no method but {@link #start} and {@link #close}
 * blocks.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of the ticking, which ends with its event loop
public final class ThrottleController implements TransferRegistry, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ThrottleController.class);
  private static final long TICK_MS = 1_000;
  private static final long BALANCE_MS = 100;
  private static final long GREETING_TIMEOUT_MS = 10_000;
  private static final long STOP_TIMEOUT_MS = 5_000;
  private static final int RESOLVER_THREADS_MAX = 16;

  private final ThrottleConfig config;
  private final JobSecrets secrets;
  private final Channels channels;
  private final LongSupplier nanoClock;
  private final long greetingTimeoutMs;
  private final ThrottleCounters counters = new ThrottleCounters();
  private final EventLoopGroup group;
  private final EventLoop loop;
  private final HostNames names;
  private final ReceivedBytes received;
  private final LeaseDesk desk;
  private final FileDesk files;
  private final CapNotices capNotices = new CapNotices();
  private final LeaseTransports transports;
  private final Paths paths;
  private @Nullable Door door;
  private @Nullable String closedBecause;

  /**
   * @param nanoClock as {@link System#nanoTime}
   */
  public ThrottleController(
      ThrottleConfig config, JobSecrets secrets, Channels channels, LongSupplier nanoClock) {
    this(config, secrets, channels, nanoClock, GREETING_TIMEOUT_MS);
  }

  ThrottleController(
      ThrottleConfig config,
      JobSecrets secrets,
      Channels channels,
      LongSupplier nanoClock,
      long greetingTimeoutMs) {
    this.config = config;
    this.secrets = secrets;
    this.channels = channels;
    this.nanoClock = nanoClock;
    this.greetingTimeoutMs = greetingTimeoutMs;
    this.group = channels.newEventLoopGroup(1, "mission-control-throttle");
    this.loop = group.next();
    this.files = new FileDesk(loop, counters);
    this.names =
        new HostNames(
            Math.min(config.flowsPerHost(), RESOLVER_THREADS_MAX), "mission-control-names");
    this.received =
        new ReceivedBytes(
            connection -> connection.bytesReceived(channels), job -> secrets.user(job) != null);
    this.transports = new LeaseTransports(this::ruled, counters);
    this.paths = new Paths(channels, nanoClock);
    this.desk =
        new LeaseDesk(
            loop,
            new Connector(channels, names),
            new ThrottleBooks(
                config.flowsPerHost(),
                SharingRules.of(Sharing.POLICY_DEFAULT, AdminRules.NONE, secrets::user),
                TimeUnit.MILLISECONDS.toNanos(config.transferExpiryMs()),
                TimeUnit.MILLISECONDS.toNanos(config.leaseMaxMs())),
            nanoClock,
            counters,
            received,
            transports,
            paths);
  }

  /** From now on {@code listener} hears, on any thread, that the view may have changed. */
  public void onChange(Runnable listener) {
    desk.onChange(listener);
  }

  /**
   * Opens the door. That there is none is logged and no failure: reducers then open plain sockets.
   *
   * @return this
   */
  public ThrottleController start() {
    every(TICK_MS, desk::tick);
    if (config.sharesBytes()) {
      every(BALANCE_MS, desk::balance);
    }
    if (!config.doorEnabled() || !channels.epoll()) {
      closedBecause = config.doorEnabled() ? "no epoll here" : "disabled";
      LOG.debug("no door for reducers: {}; they open their own sockets", closedBecause);
      return this;
    }
    Refusals refusals = new Refusals(counters, nanoClock);
    Greeted greeted = new Greeted(secrets, desk, files, refusals, greetingTimeoutMs);
    try {
      Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
      Door opened = Door.open(config, temporary, loop, greeted, refusals);
      door = opened;
      LOG.debug("door for reducers at {}, {} flows", opened.socket(), config.flowsPerHost());
    } catch (IOException e) {
      closedBecause = e.getMessage();
      LOG.warn("no door for reducers, they open their own sockets: {}", e.getMessage(), e);
    }
    return this;
  }

  /** From now on tasks can have outputs as open files; {@code port} serves the same ones. */
  public void passFiles(MapFiles outputs, int port) {
    files.serve(outputs, port);
  }

  /** Where the door is, or null if there is none. */
  public @Nullable Path door() {
    return door == null ? null : door.socket();
  }

  /** Why there is no door, or null if there is one. */
  public @Nullable String closedBecause() {
    return closedBecause;
  }

  @Override
  public HostView announce(TransferDescriptor transfer) {
    transports.announce(transfer.job(), transfer.transport());
    desk.books(
        b -> {
          b.announce(transfer, nanoClock.getAsLong());
          b.wants(transfer.job(), transfer.local().wantedBytes());
          return true;
        });
    desk.settle();
    capNotices.look(lines());
    return view();
  }

  @Override
  public void waits(String job, long forMs) {
    desk.books(
        b -> {
          b.waits(job, TimeUnit.MILLISECONDS.toNanos(forMs), nanoClock.getAsLong());
          return true;
        });
  }

  @Override
  public HostView withdraw(String job) {
    transports.forget(job);
    desk.books(
        b -> {
          b.withdraw(job);
          return true;
        });
    desk.settle();
    return view();
  }

  /**
   * From now on jobs weigh by these rules; flows that are held move as their batches end.
   *
   * @param configuredPolicy in force where the administrator's file names none
   */
  public void share(String configuredPolicy, AdminRules rules) {
    SharingRules next = SharingRules.of(configuredPolicy, rules, secrets::user);
    String before =
        desk.books(
            b -> {
              String replaced = b.rules().policy().name();
              b.setRules(next);
              return replaced;
            });
    if (!before.equals(next.policy().name())) {
      LOG.info("flows are shared by the policy {} now, no longer {}", next.policy().name(), before);
    }
    desk.settle();
    capNotices.look(lines());
  }

  @Override
  public HostTraits traits() {
    return channels.traits();
  }

  @Override
  public @Nullable String ruleTransport(String job) {
    String user = secrets.user(job);
    return user == null ? null : rules().transportFor(user, queue(job), job);
  }

  /** What the rules choose for a job that leaves the choice open. */
  private TransportDecision ruled(String job, String mapHost) {
    int interfaces = paths.usable(mapHost, channels.traits().usableInterfaces());
    boolean marking = paths.marking(mapHost);
    return desk.books(
        b ->
            TransportTable.decide(
                b.transportFacts(job, interfaces, marking),
                b.rules().rules().table(),
                channels.capabilities()));
  }

  /** The administrator's rules in force. */
  public AdminRules rules() {
    return desk.books(b -> b.rules().rules());
  }

  /** Queue that a job's ApplicationMaster has announced, or empty. */
  public String queue(String job) {
    return desk.books(b -> b.queue(job));
  }

  /** Name of the share policy in force. */
  public String policy() {
    return desk.books(b -> b.rules().policy().name());
  }

  /** Forgets a job and closes its sessions. */
  public void jobEnded(String job) {
    withdraw(job);
    try {
      loop.execute(() -> desk.jobEnded(job));
    } catch (RejectedExecutionException e) {
      LOG.debug("{} ended after the controller", job, e);
    }
  }

  /** Without corrections, which come and go, so that they are no news to those who wait for it. */
  @Override
  public HostView view() {
    List<JobLine> lines = lines();
    return new HostView(
        ControlProtocol.VERSION,
        policy(),
        config.flowsPerHost(),
        lines.stream().mapToInt(line -> line.leases().size()).sum(),
        lines.stream()
            .map(
                line ->
                    new TransferView(
                        line.job(),
                        line.wantedWeight(),
                        line.weight(),
                        line.demand(),
                        line.due(),
                        line.leases().size()))
            .toList(),
        channels.capabilities().transports());
  }

  /** The books now, with each socket's congestion control as the kernel tells it now. */
  public ThrottleSnapshot snapshot() {
    List<JobFlows> jobs =
        lines().stream()
            .map(
                line ->
                    new JobFlows(
                        line.job(),
                        secrets.user(line.job()),
                        line.wantedWeight(),
                        Float.isInfinite(line.weightCap()) ? null : line.weightCap(),
                        line.weight(),
                        line.correction(),
                        line.transfer() != null,
                        line.transferClass(),
                        line.demand(),
                        line.share(),
                        line.leases().stream().map(this::flow).toList(),
                        transports.uses(line.job())))
            .toList();
    return new ThrottleSnapshot(
        policy(),
        config.flowsPerHost(),
        jobs.stream().mapToInt(job -> job.flows().size()).sum(),
        jobs);
  }

  /**
   * Bytes that each known job has received on flows leased here since the start, heads of replies
   * included, as the kernel counts them.
   */
  public Map<String, Long> receivedBytes() {
    return received.byJob();
  }

  /** What leased connections have told of the paths to map hosts. */
  public List<PathFacts> paths() {
    return paths.latest();
  }

  /** A counter's value since the start. */
  public long count(ThrottleCounter counter) {
    return counters.value(counter);
  }

  /**
   * Closes the door and every session. Connections that tasks have stay open; they are the tasks'.
   */
  @Override
  public void close() throws IOException {
    try {
      if (door != null) {
        door.close();
      }
    } finally {
      if (!loop.isShuttingDown()) {
        loop.submit(desk::close).awaitUninterruptibly(STOP_TIMEOUT_MS);
      }
      files.close();
      names.close();
      group
          .shutdownGracefully(0, STOP_TIMEOUT_MS, TimeUnit.MILLISECONDS)
          .awaitUninterruptibly(STOP_TIMEOUT_MS);
    }
  }

  private void every(long milliseconds, Runnable look) {
    Runnable safe = () -> lookSafely(look);
    loop.scheduleWithFixedDelay(safe, milliseconds, milliseconds, TimeUnit.MILLISECONDS);
  }

  private static void lookSafely(Runnable look) {
    try {
      look.run();
    } catch (RuntimeException e) {
      // An exception would end the ticking for good.
      LOG.error("shares are not re-evaluated this time", e);
    }
  }

  /** Looks now at what time alone changes, and waits for it. */
  void lookNow() {
    loop.submit(() -> lookSafely(desk::tick)).syncUninterruptibly();
  }

  private List<JobLine> lines() {
    return desk.books(b -> b.lines(nanoClock.getAsLong()));
  }

  private LeasedFlow flow(Lease lease) {
    LeasedConnection connection = desk.connection(lease.id());
    return new LeasedFlow(
        lease.id(),
        lease.attempt(),
        connection == null ? "" : connection.ask().host() + ":" + connection.ask().port(),
        connection == null ? "" : connection.transport().name(),
        connection == null ? Channels.UNKNOWN : connection.congestionControl(channels),
        connection == null ? 0 : connection.subflows(channels),
        connection == null ? null : connection.refusal(),
        TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - lease.grantedNanos()),
        connection == null ? "" : connection.decision().rule(),
        connection == null ? null : connection.facts(channels));
  }
}
