/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.fairness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.missioncontrol.bench.kit.Words;

class FairnessTest {
  @Test
  void partsThatFollowTheWeightsAreFair() {
    assertThat(Fairness.jain(new double[] {40, 20, 10}, new double[] {4, 2, 1})).isEqualTo(1);
    assertThat(Fairness.shareError(new double[] {40, 20, 10}, new double[] {4, 2, 1})).isZero();
  }

  @Test
  void whenOneHasAllTheIndexIsOneOverTheNumber() {
    assertThat(Fairness.jain(new double[] {9, 0, 0}, new double[] {1, 1, 1}))
        .isCloseTo(1 / 3.0, within(1e-9));
  }

  @Test
  void theErrorIsRelativeToWhatIsDue() {
    assertThat(Fairness.shareError(new double[] {70, 20}, new double[] {2, 1}))
        .isCloseTo(1 / 3.0, within(1e-9));
  }

  @Test
  void casesAreRead() {
    Setting setting = Setting.parse(new Words(List.of("--cases", "1:1,4:2:1")));
    assertThat(setting.cases()).containsExactly(new double[] {1, 1}, new double[] {4, 2, 1});
    assertThat(setting.mostJobs()).isEqualTo(3);
    assertThatThrownBy(() -> Setting.parse(new Words(List.of("--cases", "1"))))
        .hasMessageContaining("--cases");
  }
}
