/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.status;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.server.ServedConnection;
import org.missioncontrol.shuffle.throttle.ThrottleSnapshot;
import org.missioncontrol.shuffle.throttle.ThrottleSnapshot.JobFlows;
import org.missioncontrol.shuffle.throttle.ThrottleSnapshot.LeasedFlow;
import org.missioncontrol.transport.PathFacts;

/**
 * A status in Prometheus' text format 0.0.4. What the host counts has the name that Hadoop's own
 * PrometheusMetricsSink gives to the metrics2 source; what it lacks there, numbers by job and by
 * congestion control, comes on top. Owned by the thread that writes.
 */
final class PrometheusText {
  static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  /** So that a host with ever more jobs does not flood Prometheus; those with most flows stay. */
  static final int MAX_JOBS = 100;

  private static final String PREFIX = "mission_control_";

  private final StringBuilder text = new StringBuilder();

  private PrometheusText() {}

  static String of(StatusReport report) {
    PrometheusText text = new PrometheusText();
    text.host(report);
    text.jobs(report);
    text.transports(report);
    return text.text.toString();
  }

  private void host(StatusReport report) {
    family("info", "gauge", "Always 1; the version is in the label");
    sample("info", labels("version", report.version()), 1);
    family("uptime_seconds", "gauge", "Seconds since the service started");
    sample("uptime_seconds", "", report.uptimeMs() / 1000.0);
    ThrottleSnapshot books =
        new ThrottleSnapshot(
            report.sharing().policy(), report.budget(), report.inUse(), report.jobs());
    for (HostGauge gauge : HostGauge.values()) {
      family(snake(gauge.label()), "gauge", gauge.description());
      sample(snake(gauge.label()), "", gauge.read(books));
    }
    report
        .counters()
        .forEach(
            (name, value) -> {
              family(snake(name), "counter", null);
              sample(snake(name), "", value);
            });
  }

  private void jobs(StatusReport report) {
    List<JobFlows> jobs =
        report.jobs().stream()
            .sorted(
                Comparator.<JobFlows>comparingInt(job -> job.flows().size())
                    .reversed()
                    .thenComparing(JobFlows::job))
            .limit(MAX_JOBS)
            .toList();
    family("job_weight", "gauge", "Weight of the job on this host");
    jobs.forEach(job -> sample("job_weight", of(job), job.weight()));
    family("job_demand_flows", "gauge", "Flows that the job's tasks hold or wait for");
    jobs.forEach(job -> sample("job_demand_flows", of(job), job.demand()));
    family("job_share_flows", "gauge", "Flows that the job may hold");
    jobs.forEach(job -> sample("job_share_flows", of(job), job.share()));
    family("job_flows", "gauge", "Flows that the job holds");
    jobs.forEach(job -> sample("job_flows", of(job), job.flows().size()));
    List<JobTraffic> traffic =
        report.traffic().stream()
            .sorted(
                Comparator.<JobTraffic>comparingLong(job -> job.sentBytes() + job.receivedBytes())
                    .reversed()
                    .thenComparing(JobTraffic::job))
            .limit(MAX_JOBS)
            .toList();
    family("job_received_bytes_total", "counter", "Bytes that the job received over leased flows");
    traffic.forEach(job -> sample("job_received_bytes_total", of(job), job.receivedBytes()));
    family("job_sent_bytes_total", "counter", "Bytes of the job's map outputs sent from here");
    traffic.forEach(job -> sample("job_sent_bytes_total", of(job), job.sentBytes()));
    family("jobs_left_out", "gauge", "Jobs without numbers of their own, beyond " + MAX_JOBS);
    sample(
        "jobs_left_out",
        "",
        report.jobs().size() - jobs.size() + report.traffic().size() - traffic.size());
  }

  private void transports(StatusReport report) {
    family("paths", "gauge", "Map hosts to which connections were looked at");
    sample("paths", "", report.paths().size());
    family("paths_marking", "gauge", "Of those, to which the network marks (ECN)");
    sample("paths_marking", "", report.paths().stream().filter(PathFacts::marking).count());
    family("served_connections_encrypted", "gauge", "Connections that fetch from here over TLS");
    sample(
        "served_connections_encrypted",
        "",
        report.served().stream().filter(ServedConnection::encrypted).count());
    family("leased_flows", "gauge", "Flows leased here, by what the kernel says of this end");
    count(
            report.jobs().stream()
                .flatMap(job -> job.flows().stream())
                .map(LeasedFlow::congestionControl))
        .forEach((name, n) -> sample("leased_flows", labels("congestion_control", name), n));
    family("served_connections", "gauge", "Connections that fetch from here, by this end's");
    count(report.served().stream().map(ServedConnection::congestionControl))
        .forEach((name, n) -> sample("served_connections", labels("congestion_control", name), n));
  }

  private static Map<String, Long> count(Stream<String> names) {
    return names.collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
  }

  private void family(String name, String type, @Nullable String help) {
    if (help != null) {
      text.append("# HELP ").append(PREFIX).append(name).append(' ').append(help).append('\n');
    }
    text.append("# TYPE ").append(PREFIX).append(name).append(' ').append(type).append('\n');
  }

  private void sample(String name, String labels, long value) {
    text.append(PREFIX).append(name).append(labels).append(' ').append(value).append('\n');
  }

  private void sample(String name, String labels, double value) {
    text.append(PREFIX).append(name).append(labels).append(' ').append(value).append('\n');
  }

  private static String of(JobFlows job) {
    return labels("job_id", job.job(), "user", job.user());
  }

  private static String of(JobTraffic job) {
    return labels("job_id", job.job(), "user", job.user());
  }

  /** Not named {@code job}, which Prometheus itself gives to every sample. */
  private static String labels(@Nullable String... namesAndValues) {
    StringBuilder labels = new StringBuilder("{");
    for (int i = 0; i < namesAndValues.length; i += 2) {
      labels
          .append(i == 0 ? "" : ",")
          .append(namesAndValues[i])
          .append("=\"")
          .append(escape(namesAndValues[i + 1]))
          .append('"');
    }
    return labels.append('}').toString();
  }

  private static String escape(@Nullable String value) {
    return value == null
        ? ""
        : value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }

  private static String snake(String camelCase) {
    return camelCase.replaceAll("(?<!^)(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
  }
}
