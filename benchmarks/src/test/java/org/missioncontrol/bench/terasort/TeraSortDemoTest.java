/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.terasort;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

class TeraSortDemoTest {
  @Test
  @ResourceLock(Resources.SYSTEM_OUT)
  @ResourceLock(Resources.SYSTEM_PROPERTIES)
  void whoMayNotMakeANetworkIsToldSoAndFindsNoDirectoryLeft() throws Exception {
    String user = System.getProperty("user.name");
    PrintStream out = System.out;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setProperty("user.name", "nobody");
    System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      assertThat(TeraSortDemo.run(Options.parse(List.of("--network", "star")))).isEqualTo(1);
    } finally {
      System.setOut(out);
      System.setProperty("user.name", user);
    }
    assertThat(said.toString(StandardCharsets.UTF_8))
        .contains("root")
        .as("named when it is made")
        .doesNotContain("everything is below");
  }
}
