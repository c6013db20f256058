/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.missioncontrol.bench.cluster.Http;
import org.missioncontrol.bench.cluster.LocalCluster;
import org.missioncontrol.bench.cluster.NodeSpec;
import org.missioncontrol.bench.jobs.SortJob;

/** What an operator sees of two jobs that share a host, by every way there is. */
class OperatorsEyesIT {
  private static final int BUDGET = 3;
  private static final int HOST = HeldShuffle.REDUCES;
  private static final Pattern NAME = Pattern.compile("(?m)^(mission_control_\\w+)[{ ]");

  private static HeldShuffle shuffle;
  private static LocalCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    shuffle =
        HeldShuffle.on(
            Sorts.workDirectory(OperatorsEyesIT.class),
            NodeSpec.ours()
                .with("mission-control.flows.per-host", "" + BUDGET)
                .with("hadoop.prometheus.endpoint.enabled", "true"));
    cluster = shuffle.cluster();
  }

  @AfterAll
  static void end() throws Exception {
    if (shuffle != null) {
      shuffle.close();
    }
  }

  @Test
  void seesJobsSharesAndBytesAndSaysWhy() throws Exception {
    SortJob sort = SortJob.of(2, 2, 4_000_000);
    List<Sorts.Running> jobs =
        shuffle.begin(List.of(sort.onMissionControl(), sort.onMissionControl()));
    Sorts.Running job = jobs.get(0);
    HostStatus.watch(
        cluster,
        HOST,
        "both jobs to share " + BUDGET + " flows",
        Sorts.LIMIT,
        status ->
            status != null
                && status.inUse() == BUDGET
                && jobs.stream().allMatch(j -> status.job(j.id()).path("demand").asInt() == 2));

    commandLine(job);
    stockMetrics();
    ourMetrics(jobs);
    assertThat(Http.get(cluster.shuffleUrl(HOST) + "/missionControl/v1/").orElse(""))
        .contains("<title>Mission Control</title>");

    shuffle.release();
    long[] most = new long[2];
    HostStatus.watch(
        cluster,
        HOST,
        "the end of both jobs",
        Sorts.LIMIT,
        status -> {
          most[0] = Math.max(most[0], traffic(status, job, "receivedBytes"));
          most[1] =
              Math.max(
                  most[1],
                  traffic(HostStatus.of(cluster, HeldShuffle.MAPS).orElse(null), job, "sentBytes"));
          return jobs.stream().allMatch(j -> isComplete(j));
        });
    for (Sorts.Running each : jobs) {
      each.job().awaitSuccess(Sorts.LIMIT);
    }
    long shuffled = job.job().counter(TaskCounter.REDUCE_SHUFFLE_BYTES);
    assertThat(most[0]).as("received, with heads").isBetween(1L, shuffled + shuffled / 10);
    assertThat(most[1]).as("sent, without heads").isBetween(1L, shuffled);
  }

  private static void commandLine(Sorts.Running job) throws Exception {
    String node = cluster.host(HOST) + ":" + cluster.shufflePort(HOST);
    JsonNode books = HostStatus.of(cluster, HOST).orElseThrow().job(job.id());

    Command explained = Command.missioncontrol(cluster, "explain", job.id(), node);
    assertThat(explained.err()).isEmpty();
    assertThat(explained.exitCode()).isZero();
    assertThat(explained.out())
        .contains(
            "may hold " + books.path("share").asInt(), BUDGET + " flows on this host", "\n  - ")
        .doesNotContain("versions");

    Command listed =
        Command.missioncontrol(
            cluster,
            "status",
            "--port",
            "" + cluster.shufflePort(HOST),
            "--timeout",
            "5",
            "--rm",
            cluster.resourceManagerWeb());
    assertThat(listed.out()).contains(job.id(), node);
    assertThat(listed.err()).isEmpty();
    assertThat(listed.exitCode()).isZero();
  }

  private static void stockMetrics() throws Exception {
    String stock = Http.get("http://" + cluster.web(HOST) + "/prom").orElse("");
    assertThat(stock).contains("mission_control_flows_in_use{", "} " + BUDGET);
    String ours = Http.get(cluster.shuffleUrl(HOST) + "/missionControl/v1/metrics").orElse("");
    assertThat(names(ours)).containsAll(names(stock)).hasSizeGreaterThan(names(stock).size());
    assertThat(
            Http.get(
                    "http://"
                        + cluster.web(HOST)
                        + "/jmx?qry=Hadoop:service=NodeManager,name=MissionControl")
                .orElse(""))
        .contains("\"FlowsInUse\" : " + BUDGET);
  }

  private static void ourMetrics(List<Sorts.Running> jobs) throws Exception {
    assertThat(Http.get(cluster.shuffleUrl(HOST) + "/missionControl/v1/metrics").orElse(""))
        .contains(
            "mission_control_job_demand_flows{job_id=\"" + jobs.get(0).id() + "\"",
            "mission_control_job_received_bytes_total{job_id=\"" + jobs.get(1).id() + "\"",
            "mission_control_leased_flows{congestion_control=");
  }

  private static boolean isComplete(Sorts.Running job) {
    try {
      return job.job().job().isComplete();
    } catch (java.io.IOException e) {
      return false;
    }
  }

  private static long traffic(HostStatus statusOrNull, Sorts.Running job, String what) {
    return statusOrNull == null
        ? 0
        : StreamSupport.stream(statusOrNull.json().path("traffic").spliterator(), false)
            .filter(line -> line.path("job").asText().equals(job.id()))
            .mapToLong(line -> line.path(what).asLong())
            .sum();
  }

  private static Set<String> names(String text) {
    Set<String> names = new TreeSet<>();
    NAME.matcher(text).results().forEach(match -> names.add(match.group(1)));
    return names;
  }
}
