/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Three hosts and short shuffles; no number is judged. */
@Timeout(180)
class SortIT {
  @TempDir private Path out;

  @ParameterizedTest
  @CsvSource({
    "dctcp, /star/dctcp/jain, dctcp-queue-star.png, dctcp-runs.csv",
    "flows, /seconds/1/4, flows.png, flows.csv"
  })
  void endsWithItsJsonAndLeavesItsFiles(String name, String value, String png, String csv)
      throws Exception {
    String words = name + " --quick --hosts 3 --rate 50 --seconds 1 --out " + out;
    Printed printed = Printed.by(words.split(" ", -1));
    JsonNode json = printed.json();
    assertThat(json.at("/name").asText()).isEqualTo(name);
    assertThat(json.at(value).isNumber()).isTrue();
    assertThat(out.resolve(png)).isNotEmptyFile();
    assertThat(Files.readAllLines(out.resolve(csv))).as("a head and three runs").hasSize(4);
  }
}
