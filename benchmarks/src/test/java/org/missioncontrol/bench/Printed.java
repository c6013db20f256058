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
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** What the command printed, how it ended, and what it said of its errors. Immutable. */
record Printed(int exit, List<String> lines, String errors) {
  private static final int CANNOT_RUN = 3;

  static Printed by(String... words) throws InterruptedException {
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(errors, true, StandardCharsets.UTF_8));
    try {
      int exit = Bench.run(List.of(words));
      return new Printed(
          exit,
          printed.toString(StandardCharsets.UTF_8).lines().toList(),
          errors.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
  }

  /** The last line; skips where the benchmark cannot run, fails with all it said if it failed. */
  JsonNode json() throws IOException {
    Assumptions.assumeTrue(exit != CANNOT_RUN, errors);
    assertThat(exit).as(this::said).isZero();
    return new ObjectMapper().readTree(lines.get(lines.size() - 1));
  }

  private String said() {
    return String.join("\n", lines) + "\n" + errors;
  }
}
