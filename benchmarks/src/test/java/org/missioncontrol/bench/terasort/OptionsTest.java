/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.terasort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.missioncontrol.bench.net.Topology;

class OptionsTest {
  @Test
  void withoutAWordItSortsOneGigabyteOnTwoNodes() {
    assertThat(Options.parse(List.of()))
        .isEqualTo(new Options(1_000_000_000, 2, 4, 0, false, null, null, 200));
  }

  @Test
  void everyOptionIsHeard() {
    List<String> words =
        List.of(
            "--size",
            "10m",
            "--nodes",
            "3",
            "--reduces",
            "7",
            "--transport",
            "reno",
            "--network",
            "two-racks",
            "--rate",
            "100mbit",
            "--compare",
            "--rounds",
            "5",
            "--keep");
    assertThat(Options.parse(words))
        .isEqualTo(new Options(10_000_000, 3, 7, 5, true, "reno", Topology.TWO_RACKS, 100));
  }

  @Test
  void fewerThanThreeRoundsAreNoComparison() {
    assertThat(Options.parse(List.of("--rounds", "1")).rounds()).isEqualTo(3);
  }

  @Test
  void whatIsNotUnderstoodIsNamed() {
    assertThatThrownBy(() -> Options.parse(List.of("--nods", "2"))).hasMessageContaining("--nods");
    assertThatThrownBy(() -> Options.parse(List.of("--nodes"))).hasMessageContaining("--nodes");
    assertThatThrownBy(() -> Options.parse(List.of("--nodes", "-1"))).hasMessageContaining("-1");
    assertThatThrownBy(() -> Options.parse(List.of("--network", "ring")))
        .hasMessageContaining("ring")
        .hasMessageContaining("two-racks");
    assertThatThrownBy(() -> Options.parse(List.of("--rate", "fast"))).hasMessageContaining("fast");
    assertThatThrownBy(() -> Size.parse("1x")).hasMessageContaining("1x");
    assertThatThrownBy(() -> Size.parse("99")).hasMessageContaining("row");
  }
}
