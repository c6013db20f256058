/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each benchmark of the bytes' way as small as it can be; no number is judged. */
@Timeout(240)
class DatapathIT {
  @TempDir private Path out;

  @ParameterizedTest
  @CsvSource({
    "throughput --runs 1 --megabytes 64, name;ratio_mb_s;ratio_cpu_per_gb;of_limit",
    "local --runs 1 --megabytes 64, name;ratio",
    "segment-sizes --quick --runs 1 --megabytes 8 --out OUT, name;ratio",
    "small-segments --runs 1 --maps 30, name;ratio;ratio_handler",
    "memory --quick --connections 50 --maps 30, name;heap_growth_mb;direct_growth_mb;fd_growth"
  })
  void endsWithItsJson(String words, String fields) throws Exception {
    Printed printed = Printed.by(words.replace("OUT", out.toString()).split(" ", -1));
    JsonNode json = printed.json();
    assertThat(json.fieldNames()).toIterable().containsExactly(fields.split(";", -1));
    assertThat(json.at("/name").asText()).isEqualTo(words.split(" ", -1)[0]);
  }
}
