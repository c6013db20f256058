/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WeightedLruTest {
  private final AtomicLong now = new AtomicLong();
  private final WeightedLru<String, Integer> cache =
      new WeightedLru<>(10, 100, (key, weight) -> weight, now::get);

  @Test
  void theLeastRecentlyUsedGoesWhenTheWeightIsTooMuch() {
    cache.put("a", 4);
    cache.put("b", 4);
    assertThat(cache.get("a")).isEqualTo(4);
    cache.put("c", 4);
    assertThat(cache.get("b")).isNull();
    assertThat(cache.get("a")).isEqualTo(4);
    assertThat(cache.get("c")).isEqualTo(4);
    assertThat(cache.weight()).isEqualTo(8);
  }

  @Test
  void whatIsHeavierThanAllIsNotRemembered() {
    cache.put("a", 4);
    cache.put("b", 11);
    assertThat(cache.get("b")).isNull();
    assertThat(cache.get("a")).isEqualTo(4);
  }

  @Test
  void eachExpiresSomeTimeAfterItsLastUse() {
    cache.put("a", 1);
    cache.put("b", 1);
    now.set(99);
    assertThat(cache.get("a")).isEqualTo(1);
    now.set(100);
    assertThat(cache.get("b")).isNull();
    now.set(198);
    assertThat(cache.get("a")).isEqualTo(1);
    now.set(298);
    assertThat(cache.get("a")).isNull();
    assertThat(cache.weight()).isZero();
  }

  @Test
  void replacedAndRemovedValuesWeighNothing() {
    cache.put("a", 4);
    cache.put("a", 2);
    assertThat(cache.weight()).isEqualTo(2);
    cache.put("b", 3);
    cache.removeIf(key -> key.equals("a"));
    assertThat(cache.weight()).isEqualTo(3);
    cache.remove("b");
    assertThat(cache.weight()).isZero();
  }
}
