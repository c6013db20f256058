/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.micro;

import java.util.List;
import java.util.stream.IntStream;
import org.missioncontrol.scheduler.share.WeightedMaxMin;
import org.missioncontrol.scheduler.share.WeightedMaxMin.Claim;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The flows of each job on a host, two for each in the middle. Owned by JMH's thread. */
@State(Scope.Thread)
public class Shares {
  /** How many have a claim. */
  @Param({"16", "200", "1000"})
  int jobs;

  private List<Claim> claims = List.of();

  /** Made by JMH. */
  public Shares() {}

  /** Three weights, demands of one flow to seven. */
  @Setup
  public void claim() {
    claims = IntStream.range(0, jobs).mapToObj(i -> new Claim(1 + i % 3, 1 + i % 7)).toList();
  }

  /** As the throttle controller computes them for each change. */
  @Benchmark
  public int[] shares() {
    return WeightedMaxMin.shares(2 * jobs, claims);
  }
}
