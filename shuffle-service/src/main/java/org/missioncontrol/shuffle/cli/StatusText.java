/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.server.ServedConnection;
import org.missioncontrol.shuffle.status.JobTraffic;
import org.missioncontrol.shuffle.status.StatusReport;
import org.missioncontrol.shuffle.throttle.ThrottleSnapshot.JobFlows;

/** Statuses of NodeManagers as two tables: hosts, then their jobs. Immutable. */
final class StatusText {
  private static final double MS_PER_SECOND = 1000;

  private StatusText() {}

  /**
   * @param before the answers to an earlier question, for speeds; empty if there are none
   */
  static String of(List<NodeAnswer> answers, List<NodeAnswer> before) {
    Table hosts =
        new Table(
            "HOST",
            ">IN USE",
            ">BUDGET",
            ">WAITING",
            ">JOBS",
            ">SERVED",
            ">LINKS",
            "POLICY",
            "TRANSPORTS");
    Table jobs =
        new Table(
            "HOST",
            "JOB",
            "USER",
            "CLASS",
            "TRANSPORT",
            "TLS",
            ">WEIGHT",
            ">FLOWS",
            ">SHARE",
            ">WAITING",
            ">RECEIVED",
            ">SENT");
    List<String> problems = new ArrayList<>();
    for (NodeAnswer answer : answers) {
      StatusReport report = answer.report();
      if (report == null) {
        problems.add(answer.node() + ": " + answer.problem());
      } else {
        host(hosts, answer.node(), report);
        jobs(jobs, answer.node(), report, earlier(before, answer.node()));
      }
    }
    StringBuilder text = new StringBuilder();
    if (!hosts.isEmpty()) {
      text.append(hosts).append('\n');
      text.append(jobs.isEmpty() ? "No job shuffles on these hosts now.\n" : jobs.toString());
    }
    problems.forEach(problem -> text.append(problem).append('\n'));
    return text.toString();
  }

  private static void host(Table hosts, String node, StatusReport report) {
    int demand = report.jobs().stream().mapToInt(JobFlows::demand).sum();
    hosts.row(
        node,
        report.inUse(),
        report.budget(),
        Math.max(0, demand - report.inUse()),
        report.jobs().size(),
        report.served().size(),
        report.traits().interfaces().size(),
        report.sharing().policy(),
        String.join(" ", report.capabilities().transports()));
  }

  private static void jobs(
      Table table, String node, StatusReport report, @Nullable StatusReport before) {
    Map<String, JobFlows> books = new LinkedHashMap<>();
    report.jobs().forEach(job -> books.put(job.job(), job));
    Map<String, JobTraffic> traffic = new LinkedHashMap<>();
    report.traffic().forEach(job -> traffic.put(job.job(), job));
    Map<String, @Nullable String> users = new LinkedHashMap<>();
    report.jobs().forEach(job -> users.put(job.job(), job.user()));
    report.traffic().forEach(job -> users.put(job.job(), job.user()));
    users.forEach(
        (job, user) -> {
          JobFlows flows = books.get(job);
          JobTraffic moved = traffic.get(job);
          JobTraffic earlier = before == null ? null : trafficOf(before, job);
          double seconds =
              before == null ? 0 : (report.uptimeMs() - before.uptimeMs()) / MS_PER_SECOND;
          table.row(
              node,
              job,
              Words.plain(user),
              flows == null ? "-" : Words.plain(flows.transferClass()),
              flows == null ? "-" : transports(flows),
              encrypted(report, job),
              flows == null ? "-" : Words.number(flows.weight()),
              flows == null ? 0 : flows.flows().size(),
              flows == null ? "-" : flows.share(),
              flows == null ? 0 : Math.max(0, flows.demand() - flows.flows().size()),
              bytes(
                  moved == null ? 0 : moved.receivedBytes(),
                  earlier == null ? -1 : earlier.receivedBytes(),
                  seconds),
              bytes(
                  moved == null ? 0 : moved.sentBytes(),
                  earlier == null ? -1 : earlier.sentBytes(),
                  seconds));
        });
  }

  private static String transports(JobFlows flows) {
    String names =
        flows.transports().stream()
            .map(use -> use.decision().transport())
            .distinct()
            .collect(Collectors.joining(" "));
    return names.isEmpty() ? "-" : Words.plain(names);
  }

  /** Of the connections that fetch the job's map outputs from here. */
  private static String encrypted(StatusReport report, String job) {
    List<Boolean> kinds =
        report.served().stream()
            .filter(connection -> connection.job().equals(job))
            .map(ServedConnection::encrypted)
            .distinct()
            .toList();
    return kinds.isEmpty() ? "-" : kinds.size() > 1 ? "partly" : kinds.get(0) ? "yes" : "no";
  }

  /** A total, and the speed where two looks give one. */
  private static String bytes(long now, long before, double seconds) {
    String total = Words.bytes((double) now);
    return before < 0 || before > now || seconds <= 0
        ? total
        : total + " (" + Words.bytes((double) (now - before) / seconds) + "/s)";
  }

  private static @Nullable JobTraffic trafficOf(StatusReport report, String job) {
    return report.traffic().stream()
        .filter(traffic -> traffic.job().equals(job))
        .findFirst()
        .orElse(null);
  }

  private static @Nullable StatusReport earlier(List<NodeAnswer> before, String node) {
    return before.stream()
        .filter(answer -> answer.node().equals(node) && answer.report() != null)
        .findFirst()
        .map(NodeAnswer::report)
        .orElse(null);
  }
}
