/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;

class DeployableJarIT {
  private static final Path JAR = Path.of(System.getProperty("mission-control.jar"));

  private static List<String> entries() throws Exception {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      return jar.stream().filter(e -> !e.isDirectory()).map(e -> e.getName()).toList();
    }
  }

  @Test
  void holdsOurClassesAndNobodyElses() throws Exception {
    assertThat(entries())
        .filteredOn(name -> name.endsWith(".class"))
        .isNotEmpty()
        .allMatch(name -> name.startsWith("org/missioncontrol/"));
  }

  @Test
  void holdsTheThreePlugInsAndTheDocumentedDefaults() throws Exception {
    assertThat(entries())
        .contains(
            "org/missioncontrol/shuffle/MissionControlShuffleHandler.class",
            "org/missioncontrol/shuffle/MissionControlShuffle.class",
            "org/missioncontrol/scheduler/MissionControlAmPlugin.class",
            "mission-control-default.xml");
  }
}
