/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.missioncontrol.scheduler.share.WeightedMaxMin.Claim;

class WeightedMaxMinTest {
  @ParameterizedTest(name = "{0}: budget {1}, claims {2} -> {3}")
  @CsvSource({
    "fair of the thesis,          10, 1*99 1*99,            5 5",
    "priority of the thesis,      10, 2*99 1*99,            7 3",
    "weights of the order,        10, 1*99 2*99,            3 7",
    "small demand leaves more,    10, 1*2 1*99,             2 8",
    "small demand of the heavy,   10, 9*2 1*99,             2 8",
    "left over follows the order, 10, 1*9 1*9 1*9,          4 3 3",
    "all satisfied,               10, 5*2 1*3,              2 3",
    "nobody starves,              10, 1000*99 1*99 1*99,    8 1 1",
    "more claims than flows,       2, 1*9 5*9 9*9,          1 1 0",
    "no demand takes no turn,      2, 1*0 5*9 9*9,          0 1 1",
    "no budget,                    0, 1*9 2*9,              0 0",
    "one for one,                  3, 9*9 1*9 5*9,          1 1 1",
    "three levels,                12, 1*1 2*4 1*99 2*99,    1 4 2 5",
  })
  void sharesAreAsTheTableSays(String name, int budget, String claims, String shares) {
    List<Claim> parsed =
        Arrays.stream(claims.split(" "))
            .map(claim -> claim.split("\\*"))
            .map(claim -> new Claim(Float.parseFloat(claim[0]), Integer.parseInt(claim[1])))
            .toList();
    assertThat(WeightedMaxMin.shares(budget, parsed))
        .containsExactly(Arrays.stream(shares.split(" ")).mapToInt(Integer::parseInt).toArray());
  }

  @Test
  void extremesOfEveryNumberStillSumToTheBudget() {
    List<Claim> claims =
        List.of(
            new Claim(Float.MAX_VALUE, Integer.MAX_VALUE),
            new Claim(Float.MIN_VALUE, Integer.MAX_VALUE),
            new Claim(1, Integer.MAX_VALUE));
    assertThat(WeightedMaxMin.shares(Integer.MAX_VALUE, claims))
        .containsExactly(Integer.MAX_VALUE - 2, 1, 1);
  }

  @Test
  void thousandsOfEqualClaimsDifferByOneFlowAtMost() {
    int[] shares = WeightedMaxMin.shares(25_000, Collections.nCopies(10_000, new Claim(0.1f, 99)));
    assertThat(Arrays.stream(shares).limit(5_000)).containsOnly(3);
    assertThat(Arrays.stream(shares).skip(5_000)).containsOnly(2);
  }

  @ParameterizedTest
  @ValueSource(floats = {0, -1, Float.NaN, Float.POSITIVE_INFINITY})
  void aWeightThatIsNoPositiveNumberIsRefused(float weight) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Claim(weight, 1))
        .withMessageContaining("weight");
  }

  @Test
  void negativeNumbersOfFlowsAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Claim(1, -1));
    assertThatIllegalArgumentException().isThrownBy(() -> WeightedMaxMin.shares(-1, List.of()));
  }
}
