/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JMH in its own JVMs; no time is judged. */
@Timeout(240)
class MicroIT {
  @ParameterizedTest
  @ValueSource(strings = {"header", "index", "shares", "checksum"})
  void endsWithItsJson(String group) throws Exception {
    Printed printed = Printed.by("micro", "--quick", "--only", group);
    JsonNode json = printed.json();
    assertThat(json.at("/name").asText()).isEqualTo("micro");
    List<String> fields = new ArrayList<>();
    json.fieldNames().forEachRemaining(fields::add);
    assertThat(fields).hasSizeGreaterThan(3);
    assertThat(fields.subList(1, fields.size()))
        .allSatisfy(
            field -> {
              assertThat(field).startsWith(group);
              assertThat(json.get(field).asDouble()).isPositive();
            });
  }
}
