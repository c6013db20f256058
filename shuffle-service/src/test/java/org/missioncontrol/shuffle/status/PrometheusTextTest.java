/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.metrics2.sink.PrometheusMetricsSink;
import org.junit.jupiter.api.Test;
import org.missioncontrol.shuffle.server.ServerCounter;
import org.missioncontrol.shuffle.throttle.ThrottleCounter;
import org.missioncontrol.shuffle.throttle.ThrottleSnapshot.JobFlows;

class PrometheusTextTest {
  private static final Pattern NAME = Pattern.compile("\\bmission_control_\\w+");
  private static final Pattern LINE =
      Pattern.compile(
          "# (HELP|TYPE) mission_control_\\w+ .+"
              + "|mission_control_\\w+(\\{(\\w+=\"([^\"\\\\]|\\\\.)*\",?)+})? [-0-9.E]+");

  private final ImaginedHost host = new ImaginedHost();

  @Test
  void tellsHostJobsAndTransports() {
    String text = PrometheusText.of(host.get());

    assertThat(text)
        .contains(
            "# TYPE mission_control_flows_budget gauge\nmission_control_flows_budget 10\n",
            "mission_control_flows_in_use 9\n",
            "mission_control_flows_waiting 5\n",
            "mission_control_info{version=\"0.1.0\"} 1\n",
            "mission_control_outputs_sent 5120\n",
            "mission_control_job_flows{job_id=\"" + ImaginedHost.FIRST + "\",user=\"alice\"} 6\n",
            "mission_control_job_share_flows{job_id=\"" + ImaginedHost.SECOND,
            "mission_control_leased_flows{congestion_control=\"reno\"} 6\n",
            "mission_control_leased_flows{congestion_control=\"cubic\"} 3\n",
            "mission_control_served_connections{congestion_control=\"reno\"} 2\n",
            "mission_control_jobs_left_out 0\n");
  }

  @Test
  void everyLineIsOneOfTheFormatWhateverAUserIsCalled() {
    host.user = "al\"ice\\\n} 1\nmission_control_flows_in_use 0";

    String text = PrometheusText.of(host.get());

    assertThat(text.split("\n")).allMatch(line -> LINE.matcher(line).matches());
    assertThat(text).endsWith("\n").containsOnlyOnce("\nmission_control_flows_in_use ");
  }

  @Test
  void hasNoMoreLinesThanAHundredJobsNeed() {
    StatusReport some = host.get();
    StatusReport many =
        new StatusReport(
            some.version(),
            some.host(),
            some.port(),
            some.uptimeMs(),
            some.door(),
            some.capabilities(),
            some.traits(),
            some.sharing(),
            some.budget(),
            some.inUse(),
            some.knownJobs(),
            IntStream.range(0, 5_000)
                .mapToObj(
                    i ->
                        new JobFlows(
                            "job_1_" + i,
                            "u",
                            1,
                            null,
                            1,
                            1,
                            true,
                            "shuffle",
                            1,
                            0,
                            List.of(),
                            List.of()))
                .toList(),
            IntStream.range(0, 5_000)
                .mapToObj(i -> new JobTraffic("job_1_" + i, "u", i, i))
                .toList(),
            some.served(),
            some.paths(),
            some.counters());

    String text = PrometheusText.of(many);

    assertThat(text.lines()).filteredOn(line -> line.contains("job_id=")).hasSize(600);
    assertThat(text).contains("mission_control_jobs_left_out 9800\n");
  }

  @Test
  void theHostsNumbersHaveTheNamesThatHadoopsOwnSinkGivesThem() {
    PrometheusMetricsSink sink = new PrometheusMetricsSink();
    Set<String> exported = names(PrometheusText.of(withEveryCounter()));

    assertThat(counterNames())
        .allSatisfy(
            name -> assertThat(exported).contains(sink.prometheusName("MissionControl", name)));
    assertThat(HostGauge.values())
        .allSatisfy(
            gauge ->
                assertThat(exported)
                    .contains(sink.prometheusName("MissionControl", gauge.label())));
  }

  @Test
  void theDashboardAsksOnlyForNamesThatAreExported() throws Exception {
    JsonNode dashboard =
        new ObjectMapper()
            .readTree(Files.readString(Path.of("../conf/examples/grafana-dashboard.json")));
    Set<String> asked = new TreeSet<>();
    dashboard.findValuesAsText("expr").forEach(expression -> asked.addAll(names(expression)));
    dashboard.findValuesAsText("query").forEach(query -> asked.addAll(names(query)));

    assertThat(asked).hasSizeGreaterThan(15);
    assertThat(names(PrometheusText.of(withEveryCounter()))).containsAll(asked);
  }

  private StatusReport withEveryCounter() {
    StatusReport some = host.get();
    Map<String, Long> counters = new LinkedHashMap<>();
    counterNames().forEach(name -> counters.put(name, 1L));
    return new StatusReport(
        some.version(),
        some.host(),
        some.port(),
        some.uptimeMs(),
        some.door(),
        some.capabilities(),
        some.traits(),
        some.sharing(),
        some.budget(),
        some.inUse(),
        some.knownJobs(),
        some.jobs(),
        some.traffic(),
        some.served(),
        some.paths(),
        counters);
  }

  private static List<String> counterNames() {
    return Stream.concat(
            Arrays.stream(ServerCounter.values()).map(c -> Count.of("", c, "", 0)),
            Arrays.stream(ThrottleCounter.values()).map(c -> Count.of("Door", c, "", 0)))
        .map(Count::name)
        .toList();
  }

  private static Set<String> names(String text) {
    Set<String> names = new TreeSet<>();
    NAME.matcher(text).results().forEach(match -> names.add(match.group()));
    return names;
  }
}
