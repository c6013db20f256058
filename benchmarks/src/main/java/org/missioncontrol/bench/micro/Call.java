/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.micro;

import java.util.stream.Collectors;
import org.missioncontrol.bench.kit.Summary;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.util.Statistics;

/**
 * What JMH measured of one call. Immutable.
 *
 * @param nanos of its iterations
 * @param allocatedBytes for each call, on the heap
 */
record Call(Summary nanos, double allocatedBytes) {
  private static final String ALLOCATED = "gc.alloc.rate.norm";
  private static final int MIDDLE_PERCENT = 50;

  static Call of(RunResult measured) {
    Statistics nanos = measured.getPrimaryResult().getStatistics();
    Result<?> allocated = measured.getSecondaryResults().get(ALLOCATED);
    return new Call(
        new Summary(
            nanos.getPercentile(MIDDLE_PERCENT),
            nanos.getMin(),
            nanos.getMax(),
            (int) nanos.getN()),
        allocated == null ? 0 : Math.round(allocated.getScore()));
  }

  /** Class, method and parameters without a gap. */
  static String name(RunResult measured) {
    BenchmarkParams params = measured.getParams();
    return params.getBenchmark()
        + params.getParamsKeys().stream().map(params::getParam).collect(Collectors.joining());
  }
}
