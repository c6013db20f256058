/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
import org.missioncontrol.conf.OperatorConfig;
import org.missioncontrol.scheduler.control.ControlReply;
import org.missioncontrol.scheduler.control.ControlRequest;
import org.missioncontrol.scheduler.control.ControlServer;
import org.missioncontrol.scheduler.control.Orders;
import org.missioncontrol.scheduler.control.Polling;
import org.missioncontrol.scheduler.security.JobSecrets;
import org.missioncontrol.transport.HostCapabilities;

/**
 * Hears ApplicationMasters and operators, and lets the throttle controller do what they say. One
 * timer thread answers those that wait for news. Thread-safe.
 */
final class ControlDesk implements AutoCloseable {
  /** Answers that may be held back: one of each job, so far more than a host has jobs. */
  static final int MOST_WAITING = 4096;

  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(1, ControlDesk::thread);
  private final Orders orders;
  private final ControlServer transfers;
  private volatile int port;

  /**
   * @param maxConnections of the shuffle port, 0 for no limit; those that wait take a quarter
   */
  ControlDesk(
      Configuration conf,
      int maxConnections,
      HostCapabilities capabilities,
      JobSecrets jobs,
      HostTransfers host) {
    timer.setRemoveOnCancelPolicy(true);
    String file = OperatorConfig.from(conf).secretFile();
    orders =
        new Orders(
            file.isEmpty() ? null : java.nio.file.Path.of(file),
            jobs,
            new AllowedOrders(capabilities, jobs, host::queue, host::rules),
            this::ordered,
            () -> ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
    int most = maxConnections == 0 ? MOST_WAITING : Math.min(MOST_WAITING, maxConnections / 4);
    transfers =
        new ControlServer(
            jobs,
            new OwnAddress(ownNames(), () -> port),
            host,
            orders,
            Polling.on(timer, System::nanoTime, most));
    host.onChange(transfers::changed);
  }

  /** From now on messages are for this port. */
  void serving(int bound) {
    port = bound;
  }

  CompletableFuture<ControlReply> transfer(ControlRequest request) {
    return transfers.handle(request);
  }

  ControlReply order(ControlRequest request) {
    return orders.handle(request);
  }

  /** Forgets a job that has ended. */
  void forget(String job) {
    transfers.forget(job);
    orders.forget(job);
  }

  private void ordered(String job) {
    transfers.urgent(job);
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }

  private static Set<String> ownNames() {
    Set<String> names = new HashSet<>();
    names.add(NetUtils.getLocalHostname());
    try {
      InetAddress local = InetAddress.getLocalHost();
      names.add(local.getHostName());
      names.add(local.getCanonicalHostName());
    } catch (UnknownHostException e) {
      names.add("localhost");
    }
    return names;
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "shuffle-control-timer");
    thread.setDaemon(true);
    return thread;
  }
}
