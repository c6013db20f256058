/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.net.NetUtils;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.server.ShuffleServer;
import org.missioncontrol.shuffle.status.Count;
import org.missioncontrol.shuffle.status.JobTraffic;
import org.missioncontrol.shuffle.status.StatusReport;
import org.missioncontrol.shuffle.throttle.ThrottleController;
import org.missioncontrol.shuffle.throttle.ThrottleCounter;
import org.missioncontrol.shuffle.throttle.ThrottleSnapshot;
import org.missioncontrol.transport.Channels;

/** Gathers the status from those who know. Thread-safe. */
final class Status implements Supplier<@Nullable StatusReport> {
  private final String version = Version.read();
  private final String host = NetUtils.getLocalHostname();
  private final Channels channels;
  private final JobRegistry jobs;
  private final ThrottleController throttle;
  private final @Nullable RulesWatch rules;
  private final Counters counters;
  private final LongSupplier nanoClock;
  private final long startedNanos;
  private volatile @Nullable ShuffleServer server;

  Status(
      Channels channels,
      JobRegistry jobs,
      ThrottleController throttle,
      @Nullable RulesWatch rules,
      Counters counters,
      LongSupplier nanoClock) {
    this.channels = channels;
    this.jobs = jobs;
    this.throttle = throttle;
    this.rules = rules;
    this.counters = counters;
    this.nanoClock = nanoClock;
    this.startedNanos = nanoClock.getAsLong();
  }

  /** From now on there is a status. */
  void serving(ShuffleServer started) {
    server = started;
  }

  ThrottleSnapshot flows() {
    return throttle.snapshot();
  }

  /** Of the server, then of the throttle controller. */
  List<Count> counts() {
    List<Count> counts = new ArrayList<>(counters.all());
    for (ThrottleCounter counter : ThrottleCounter.values()) {
      counts.add(Count.of("Door", counter, counter.description(), throttle.count(counter)));
    }
    return counts;
  }

  /** What an operator wants to know of a start, in one line. */
  String line() {
    ShuffleServer serving = server;
    StatusReport.Door door = door();
    return "listens on port "
        + (serving == null ? "none" : serving.port())
        + ", "
        + (door.path() == null ? "no door (" + door.closedBecause() + ")" : "door " + door.path())
        + ", "
        + throttle.snapshot().budget()
        + " flows, policy "
        + throttle.policy()
        + ", transports "
        + channels.capabilities().transports()
        + ", "
        + (channels.capabilities().epoll() ? "epoll" : "NIO")
        + " sockets";
  }

  /** Null while the service starts. */
  @Override
  public @Nullable StatusReport get() {
    ShuffleServer serving = server;
    if (serving == null) {
      return null;
    }
    ThrottleSnapshot flows = flows();
    Map<String, Long> values = new LinkedHashMap<>();
    counts().forEach(count -> values.put(count.name(), count.value()));
    return new StatusReport(
        version,
        host,
        serving.port(),
        TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - startedNanos),
        door(),
        channels.capabilities(),
        channels.traits(),
        new StatusReport.Sharing(
            flows.policy(),
            rules == null ? null : rules.path(),
            rules == null ? null : rules.problem()),
        flows.budget(),
        flows.inUse(),
        jobs.size(),
        flows.jobs(),
        traffic(),
        serving.served(),
        throttle.paths(),
        values);
  }

  private List<JobTraffic> traffic() {
    counters.keepBytesOf(job -> jobs.user(job) != null);
    Map<String, Long> sent = counters.sentBytes();
    Map<String, Long> received = throttle.receivedBytes();
    SortedSet<String> names = new TreeSet<>(sent.keySet());
    names.addAll(received.keySet());
    return names.stream()
        .map(
            job ->
                new JobTraffic(
                    job,
                    jobs.user(job),
                    sent.getOrDefault(job, 0L),
                    received.getOrDefault(job, 0L)))
        .toList();
  }

  private StatusReport.Door door() {
    Path socket = throttle.door();
    return new StatusReport.Door(
        socket == null ? null : socket.toString(), throttle.closedBecause());
  }
}
