/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.conf;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExamplesTest {
  @ParameterizedTest
  @ValueSource(strings = {"yarn-site.xml", "mapred-site.xml"})
  void anExampleNamesOnlyKeysThatAreDocumentedAndParses(String name) throws Exception {
    Path file = Path.of("examples", name);
    assertThat(Files.exists(file)).isTrue();
    Configuration example = new Configuration(false);
    example.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
    // As text: a Configuration forgets keys whose default is empty.
    String documented = Files.readString(Path.of("src/main/resources/mission-control-default.xml"));
    assertThat(example)
        .extracting(Map.Entry::getKey)
        .filteredOn(key -> key.contains("mission-control"))
        .isNotEmpty()
        .allSatisfy(key -> assertThat(documented).contains("<name>" + key + "</name>"));
    ThrottleConfig.from(example);
    TransferConfig.from(example);
    SharingConfig.from(example);
    AmConfig.from(example);
  }
}
