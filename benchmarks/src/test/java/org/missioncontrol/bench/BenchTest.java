/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each benchmark with parameters as small as they can be; no number is judged. */
@Timeout(120)
class BenchTest {
  @Test
  void listNamesWhatThereIs() throws Exception {
    assertThat(lines(0, "list")).anyMatch(line -> line.strip().startsWith("control "));
    assertThat(lines(0, "list")).anyMatch(line -> line.strip().startsWith("fairness "));
  }

  @Test
  void whatIsNotUnderstoodIsAUsageError() throws Exception {
    assertThat(lines(2, "no-such-benchmark")).isEmpty();
    assertThat(lines(2, "control", "--no-such-option")).noneMatch(line -> line.startsWith("{"));
    assertThat(lines(2, "control", "--jobs", "many")).noneMatch(line -> line.startsWith("{"));
    assertThat(lines(2, "micro", "--only", "nothing")).noneMatch(line -> line.startsWith("{"));
  }

  @Test
  void controlEndsWithItsJson() throws Exception {
    List<String> lines = lines(0, "control", "--quick", "--nodes", "20", "--jobs", "3");
    JsonNode json = new ObjectMapper().readTree(lines.get(lines.size() - 1));
    assertThat(json.fieldNames())
        .toIterable()
        .containsExactly("name", "host_view_ms", "messages_per_s", "link_share");
    assertThat(json.get("host_view_ms").asDouble()).isPositive();
    assertThat(json.get("messages_per_s").asDouble()).isPositive();
    assertThat(lines).anyMatch(line -> line.startsWith("ran on: "));
  }

  private static List<String> lines(int exit, String... words) throws Exception {
    Printed printed = Printed.by(words);
    assertThat(printed.exit()).isEqualTo(exit);
    return printed.lines();
  }
}
