/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** In virtual time: a reducer that asks, and maps that end. */
class EventPaceTest {
  private static final int RATE = 200;

  /** When a reducer asks until a moment; {@code ends} are the ends of maps, in order. */
  private static List<Long> asks(int reducers, int rate, long until, long... ends) {
    EventPace pace = new EventPace(EventPace.quickest(reducers, rate), EventPace.STOCK_MS, 0);
    List<Long> asks = new ArrayList<>();
    int heard = 0;
    for (long now = 0; now < until; now += pace.pause(false, now)) {
      asks.add(now);
      int ended = heard;
      while (ended < ends.length && ends[ended] <= now) {
        ended++;
      }
      if (ended > heard) {
        heard = ended;
        pace.news(now);
      }
    }
    return asks;
  }

  private static long lateness(List<Long> asks, long end) {
    return asks.stream().mapToLong(Long::longValue).filter(ask -> ask >= end).min().orElseThrow()
        - end;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 37, 500, 2_999, 10_000, 29_000})
  void aMapIsHeardOfWithinAThirtySecondOfTheWaitForIt(long wait) {
    assertThat(lateness(asks(2, RATE, 40_000, wait), wait)).isLessThanOrEqualTo(10 + wait / 32);
  }

  @Test
  void noWaitIsLongerThanStocks() {
    List<Long> asks = asks(2, RATE, 600_000);
    for (int i = 1; i < asks.size(); i++) {
      assertThat(asks.get(i) - asks.get(i - 1)).isLessThanOrEqualTo(EventPace.STOCK_MS);
    }
  }

  @Test
  void aReducerThatWaitsForMinutesAsksAsSeldomAsStocks() {
    List<Long> asks = asks(2, RATE, 600_000);
    assertThat(asks.stream().filter(ask -> ask >= 33_000).count()).isLessThanOrEqualTo(568);
    assertThat(asks).hasSizeLessThan(568 + 200);
  }

  @ParameterizedTest
  @CsvSource({"1, 100", "2, 200", "10, 200", "100, 200", "199, 200", "1000, 1000", "5000, 5000"})
  void allReducersTogetherStayBelowTheLimitOrStocks(int reducers, long limit) {
    SplittableRandom random = new SplittableRandom(7);
    long[] ends = LongStream.range(0, 2_000).map(i -> random.nextLong(60_000)).sorted().toArray();
    List<Long> asks = asks(reducers, RATE, 60_000, ends);
    for (long from = 0; from < 60_000; from += 1_000) {
      long begin = from;
      long inSecond = asks.stream().filter(ask -> ask >= begin && ask < begin + 1_000).count();
      assertThat((inSecond - 1) * reducers).isLessThanOrEqualTo(limit);
    }
  }

  @Test
  void zeroMeansStocksPaceAlways() {
    assertThat(asks(2, 0, 10_000, 1, 2, 3_000)).hasSize(10);
  }

  @Test
  void whoKnowsAllMapsAsksAsStock() {
    EventPace pace = new EventPace(EventPace.quickest(1, RATE), EventPace.STOCK_MS, 0);
    assertThat(pace.pause(true, 5)).isEqualTo(EventPace.STOCK_MS);
    assertThat(pace.pause(false, 5)).isEqualTo(EventPace.QUICKEST_MS);
  }
}
