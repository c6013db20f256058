/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FlowDemandTest {
  private static final MapServer A = new MapServer("a", 13562, "");
  private static final MapServer B = new MapServer("b", 13562, "");
  private static final Map<MapServer, Integer> READY = Map.of(A, 20, B, 20);

  @Test
  void aHostReachedOverAllPathsByOneConnectionGetsNoSecond() {
    FlowDemand.Bounds bounds = new FlowDemand.Bounds(8, 4).with(Set.of(A));
    assertThat(FlowDemand.spread(READY, Map.of(A, 1), Map.of(A, 3), bounds))
        .as("requests made before that was known are withdrawn")
        .isEqualTo(Map.of(A, 1, B, 4));
  }

  @Test
  void oneThatWasGrantedTwiceAsksForNoThird() {
    FlowDemand.Bounds bounds = new FlowDemand.Bounds(8, 4).with(Set.of(A, B));
    assertThat(FlowDemand.spread(READY, Map.of(A, 2), Map.of(), bounds))
        .isEqualTo(Map.of(A, 2, B, 1));
  }
}
