/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.control;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.missioncontrol.bench.kit.Benchmark;
import org.missioncontrol.bench.kit.Result;
import org.missioncontrol.bench.kit.Scratch;
import org.missioncontrol.bench.kit.Summary;
import org.missioncontrol.bench.kit.Table;
import org.missioncontrol.bench.kit.Words;
import org.missioncontrol.scheduler.share.WeightedMaxMin;

/** See {@link #summary} and {@link #options}. Immutable. */
public final class ControlBenchmark implements Benchmark {
  private static final double HOST_VIEW_GOAL_MS = 10;
  private static final double LINK_GOAL = 0.001;
  private static final double LINK_BYTES_PER_S = 10e9 / 8;
  private static final double NANOS_PER_MS = 1e6;
  private static final int BUDGET = 20;
  private static final long SEED = 1;

  /** Made by the command. */
  public ControlBenchmark() {}

  @Override
  public String name() {
    return "control";
  }

  @Override
  public String summary() {
    return "what sharing and its messages cost on 10,000 nodes with 1,000 jobs";
  }

  @Override
  public String options() {
    return """
      --quick           fewer messages, more changes
      --nodes N         simulated NodeManagers                  (default 10000)
      --jobs N          simulated jobs; all of them on one host (default 1000)
      --changes S       each job's weight changes once in S s   (default 60, quick 15)

    host_view_ms: median round trip of one control message to a real shuffle service on
    which every job holds or wants flows, over loopback: signing, checking, new shares for
    all jobs, the view of all of them as JSON and back. messages_per_s: of the whole
    simulated cluster; the k-th largest job has reducers on a k-th of the nodes, and each
    job's weight changes once in S seconds, which is told to its nodes and is news there for
    the other jobs. link_share: bytes of the messages, frames and handshakes on
    the busiest host's 10 Gbit/s link, in its busier direction; that host runs the
    ApplicationMaster of the job that is on every node.
    """;
  }

  @Override
  public Result run(Words words) throws IOException, InterruptedException {
    boolean quick = words.flag("--quick");
    int nodes = words.number("--nodes", 10_000);
    int jobs = words.number("--jobs", 1_000);
    int changes = words.number("--changes", quick ? 15 : 60);
    words.none();
    int messages = quick ? 300 : 2_000;
    Summary roundTrip;
    MessageBytes withOne;
    MessageBytes withAll;
    try (Scratch scratch = Scratch.make(name());
        HostLoad host = new HostLoad(scratch.path())) {
      host.grow(1);
      withOne = host.messageBytes();
      host.grow(jobs);
      withAll = host.messageBytes();
      roundTrip = roundTrips(host, messages);
    }
    Summary shares = shares(jobs, messages);
    System.out.println(
        new Table("one host with " + jobs + " jobs", "median", "min", "max")
            .row("host view, ms", roundTrip.median(), roundTrip.min(), roundTrip.max())
            .row("shares alone, ms", shares.median(), shares.min(), shares.max())
            .row("message, bytes", withAll.request(), "", "")
            .row("answer, bytes", withAll.reply(), "", ""));
    Traffic traffic = Traffic.of(new Fleet(nodes, jobs, SEED), withOne, withAll, 1_000L * changes);
    System.out.println(traffic.table(LINK_BYTES_PER_S));
    return new Result(name())
        .atMost("host_view_ms", roundTrip.median(), HOST_VIEW_GOAL_MS)
        .with("messages_per_s", traffic.messagesPerSecond())
        .atMost("link_share", traffic.worst() / LINK_BYTES_PER_S, LINK_GOAL);
  }

  private static Summary roundTrips(HostLoad host, int messages) throws IOException {
    List<Double> measured = new ArrayList<>();
    for (int i = 0; i < 2 * messages; i++) {
      double ms = host.roundTripMs(i);
      if (i >= messages) {
        measured.add(ms);
      }
    }
    return Summary.of(measured);
  }

  private static Summary shares(int jobs, int rounds) {
    List<WeightedMaxMin.Claim> claims =
        IntStream.range(0, jobs)
            .mapToObj(i -> new WeightedMaxMin.Claim(1 + i % 3, 1 + i % 7))
            .toList();
    int budget = Math.max(BUDGET, 2 * jobs);
    List<Double> measured = new ArrayList<>();
    for (int i = 0; i < 2 * rounds; i++) {
      long begun = System.nanoTime();
      int[] shares = WeightedMaxMin.shares(budget, claims);
      double ms = (System.nanoTime() - begun) / NANOS_PER_MS;
      if (i >= rounds && shares.length == jobs) {
        measured.add(ms);
      }
    }
    return Summary.of(measured);
  }
}
