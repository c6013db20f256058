/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.terasort;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The closing table, and whether the run may be called a success. Owned by the main thread. */
final class Report {
  private final StringBuilder text = new StringBuilder();
  private final List<String> failures = new ArrayList<>();

  private void line(String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values).stripTrailing()).append('\n');
  }

  void phases(List<Phase> phases) {
    line("");
    line("%-14s %9s  %s", "phase", "seconds", "job");
    for (Phase phase : phases) {
      line("%-14s %9.1f  %s", phase.name(), phase.seconds(), phase.jobId());
    }
  }

  /** Bytes of a sort on our plane; each must be of the own host or over a leased flow. */
  void bytes(Phase sort) {
    long all = sort.shuffledBytes();
    long leased = sort.ours("LEASED_BYTES");
    long local = sort.ours("LOCAL_BYTES");
    long plain = sort.ours("PLAIN_BYTES");
    line("");
    line("%-36s %15s %8s", "shuffle of " + sort.jobId(), "bytes", "flows");
    line("%-36s %15d %8d", "  over leased flows", leased, sort.ours("LEASED_FLOWS"));
    line("%-36s %15d", "  from files of the reducer's host", local);
    line("%-36s %15d %8d", "  over plain sockets", plain, sort.ours("PLAIN_FLOWS"));
    line("%-36s %15d", "  all (REDUCE_SHUFFLE_BYTES)", all);
    for (String end : new String[] {"CLIENT", "SERVER"}) {
      long refused = sort.ours("TRANSPORT_REFUSED_" + end);
      if (refused > 0) {
        line("  %d flows have not the transport asked for at the %s end", refused, end);
      }
    }
    if (!sort.wasLeasedOrLocal()) {
      failures.add(
          "not every shuffled byte of "
              + sort.jobId()
              + " came over a leased flow or from a file: "
              + leased
              + " and "
              + local
              + " of "
              + all
              + ", "
              + plain
              + " over plain sockets");
    }
  }

  /** What the NodeManagers' status pages said meanwhile. */
  void flows(Map<String, HostFlows> hosts, int samples) {
    line("");
    line(
        "flows as the NodeManagers' status told it (%d readings; short flows fall between)",
        samples);
    line(
        "%-12s %6s  %-32s %6s %9s %6s %5s %5s",
        "host", "budget", "job", "weight", "announced", "share", "peak", "seen");
    hosts.forEach(
        (host, flows) -> {
          flows
              .jobs()
              .forEach(
                  (id, job) ->
                      line(
                          "%-12s %6d  %-32s %6.1f %9s %6d %5d %5d",
                          host,
                          flows.budget(),
                          id,
                          job.weight(),
                          job.announced(),
                          job.mostShare(),
                          job.mostFlows(),
                          job.seen()));
          if (flows.mostInUse() > flows.budget()) {
            failures.add(
                host + " had " + flows.mostInUse() + " flows in use, budget " + flows.budget());
          }
        });
    sockets(hosts);
  }

  private void sockets(Map<String, HostFlows> hosts) {
    line("");
    line("%-12s %-8s %-10s %-10s %8s", "host", "end", "asked", "kernel", "sockets");
    hosts.forEach(
        (host, flows) ->
            flows.sockets().forEach((kind, count) -> line("%-12s %-30s %8d", host, kind, count)));
  }

  void verdict(Verdict verdict) {
    line("");
    line("TeraValidate: %s", verdict);
    if (!verdict.success()) {
      failures.add("TeraValidate: " + verdict);
    }
  }

  void append(String more) {
    text.append(more);
  }

  void fail(String why) {
    failures.add(why);
  }

  boolean passed() {
    return failures.isEmpty();
  }

  /** PASSED, or FAILED with every reason. */
  String outcome() {
    return passed() ? "PASSED" : "FAILED: " + String.join("\nFAILED: ", failures);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
