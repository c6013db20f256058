/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.missioncontrol.scheduler.control.LocalPart;
import org.missioncontrol.scheduler.control.StoredBytes;
import org.missioncontrol.scheduler.graph.StageClass;

class PartitionSizesTest {
  private static final Node A = new Node("a", 1);
  private static final Node B = new Node("b", 1);
  private static final Node R = new Node("r", 1);

  private final PartitionSizes sizes = new PartitionSizes();

  private static JobLook look(Map<Node, Map<String, Integer>> reducers) {
    return look(reducers, StageClass.SHUFFLE);
  }

  private static JobLook look(Map<Node, Map<String, Integer>> reducers, StageClass transferClass) {
    return new JobLook(
        "job_1_1", false, "u", "q", 0, reducers, Map.of(A, 2, B, 1), 0, 2, transferClass);
  }

  @Test
  void mapHostsAreAskedUntilTheyHaveToldAll() {
    JobLook look = look(Map.of(R, Map.of("r0", 0, "r1", 1)));
    assertThat(sizes.audience(look)).containsExactlyInAnyOrder(R, A, B);
    assertThat(sizes.tell(A, look)).isEqualTo(new LocalPart(true, 0, Map.of()));
    sizes.learn(A, new StoredBytes(1, List.of(5L, 7L)));
    sizes.learn(B, new StoredBytes(1, List.of(1L, 2L)));
    assertThat(sizes.audience(look)).containsExactlyInAnyOrder(R, A);
    assertThat(sizes.tell(A, look).storedKnown()).isEqualTo(1);
    sizes.learn(A, new StoredBytes(2, List.of(50L, 70L)));
    sizes.learn(A, null);
    assertThat(sizes.audience(look)).containsExactly(R);
  }

  @Test
  void aReducersHostHearsWhatItsTasksWantOfAllMapHosts() {
    JobLook look = look(Map.of(R, Map.of("r0", 0, "r2", 2), B, Map.of("r1", 1)));
    assertThat(sizes.tell(R, look).wantedBytes()).as("nothing is known").isEmpty();
    sizes.learn(A, new StoredBytes(2, List.of(5L, 7L, 11L)));
    sizes.learn(B, new StoredBytes(1, List.of(100L, 200L)));
    assertThat(sizes.tell(R, look))
        .isEqualTo(new LocalPart(false, 0, Map.of("r0", 105L, "r2", 11L)));
    assertThat(sizes.tell(B, look).wantedBytes()).as("one task alone splits nothing").isEmpty();
  }

  @Test
  void nobodyIsAskedWhenNoHostRunsTwoReducers() {
    JobLook look = look(Map.of(R, Map.of("r0", 0), B, Map.of("r1", 1)));
    assertThat(sizes.audience(look)).containsExactlyInAnyOrder(R, B);
  }

  @Test
  void reducersOfABroadcastAllWantTheSame() {
    JobLook look = look(Map.of(R, Map.of("r0", 0, "r1", 1)), StageClass.BROADCAST);
    sizes.learn(A, new StoredBytes(2, List.of(5L)));
    assertThat(sizes.audience(look)).containsExactly(R);
    assertThat(sizes.tell(R, look).wantedBytes()).isEmpty();
  }
}
