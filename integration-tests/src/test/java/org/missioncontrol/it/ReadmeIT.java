/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ReadmeIT {
  private static final Path ROOT = Path.of("..");

  @Test
  void namesEveryKey() throws Exception {
    String readme = Files.readString(ROOT.resolve("README.md"));
    String xml =
        Files.readString(ROOT.resolve("conf/src/main/resources/mission-control-default.xml"));
    assertThat(xml.lines().filter(line -> line.contains("<name>")))
        .isNotEmpty()
        .allSatisfy(
            line ->
                assertThat(readme)
                    .contains("`" + line.replaceAll(".*<name>(.*)</name>.*", "$1") + "`"));
  }
}
