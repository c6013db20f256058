/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BatchPaceTest {
  private static int after(BatchPace pace, int batches, long msPerOutput) {
    for (int i = 0; i < batches; i++) {
      int outputs = pace.outputs(20);
      pace.took(outputs, outputs * msPerOutput);
    }
    return pace.outputs(20);
  }

  @Test
  void theFirstBatchIsOneOutput() {
    assertThat(new BatchPace(100).outputs(20)).isEqualTo(1);
  }

  @Test
  void batchesAtMostDouble() {
    BatchPace pace = new BatchPace(100);
    assertThat(after(pace, 1, 0)).isEqualTo(2);
    assertThat(after(pace, 1, 0)).isEqualTo(4);
    assertThat(after(pace, 10, 0)).isEqualTo(20);
  }

  @Test
  void batchesComeToTakeTheTargetTime() {
    assertThat(after(new BatchPace(100), 10, 25)).isEqualTo(4);
  }

  @Test
  void anOutputThatTakesLongerThanTheTargetIsAskedForAlone() {
    assertThat(after(new BatchPace(100), 10, 2_500)).isEqualTo(1);
  }

  @Test
  void itFollowsAFlowThatGetsFasterAndSlower() {
    BatchPace pace = new BatchPace(100);
    after(pace, 10, 100);
    assertThat(after(pace, 20, 10)).isBetween(9, 10);
    assertThat(after(pace, 5, 50)).isBetween(1, 2);
  }

  @Test
  void onlyOfSmallOutputsMoreThanStockAsksForAreAllowed() {
    assertThat(BatchPace.allowed(100, 0, 0)).as("nothing known").isEqualTo(20);
    assertThat(BatchPace.allowed(100, 50 * 2_000L, 50)).as("2 kB each").isEqualTo(98);
    assertThat(BatchPace.allowed(100, 50 * 5_000L, 50)).as("5 kB each").isEqualTo(39);
    assertThat(BatchPace.allowed(100, 50 * 64_000_000L, 50)).as("64 MB each").isEqualTo(20);
    assertThat(BatchPace.allowed(100, 0, 50)).as("all empty").isEqualTo(100);
    assertThat(BatchPace.allowed(5, 50 * 2_000L, 50)).as("the job wants 5").isEqualTo(5);
  }

  @Test
  void itTellsHowManyOutputsComeInATime() {
    BatchPace pace = new BatchPace(100);
    assertThat(pace.outputsIn(10)).as("nothing known").isZero();
    pace.took(5, 10);
    assertThat(pace.outputsIn(10)).isEqualTo(5);
    pace.took(5, 500);
    assertThat(pace.outputsIn(10)).as("slow").isZero();
    BatchPace fast = new BatchPace(100);
    fast.took(5, 0);
    assertThat(fast.outputsIn(10)).as("in no time").isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void withoutATargetEveryBatchIsAsLargeAsAllowed() {
    assertThat(after(new BatchPace(0), 3, 60_000)).isEqualTo(20);
  }
}
