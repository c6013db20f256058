/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ClassPathsTest {
  @Test
  void jacksonsThreePartsAreOfOneLine() throws Exception {
    assertThat(versions("jackson-(core|databind|annotations)-([0-9]+\\.[0-9]+).*"))
        .hasSize(3)
        .containsOnly(versions("jackson-(core)-([0-9]+\\.[0-9]+).*").get(0));
  }

  @Test
  void nothingOfOursIsAmongHadoops() throws Exception {
    assertThat(ClassPaths.find().hadoop())
        .isNotEmpty()
        .noneMatch(jar -> jar.toString().contains("mission"));
  }

  @Test
  void hdfsTestsAreForHdfsDaemonsOnly() throws Exception {
    ClassPaths paths = ClassPaths.find();
    assertThat(paths.hdfsOnly()).hasSize(1);
    assertThat(paths.hadoop()).noneMatch(jar -> jar.toString().endsWith("-tests.jar"));
  }

  private static List<String> versions(String pattern) throws Exception {
    return ClassPaths.find().hadoop().stream()
        .map(jar -> jar.getFileName().toString())
        .filter(name -> name.matches(pattern))
        .map(name -> name.replaceFirst(pattern, "$2"))
        .toList();
  }
}
