/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.fairness;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.bench.fairness.FlowWatch.Look;
import org.missioncontrol.bench.fairness.Testbed.Bytes;
import org.missioncontrol.bench.host.BenchJob;
import org.missioncontrol.bench.host.Plane;

/** Jobs with certain weights arrive one after another, share for a while, one is killed. */
final class Case {
  private static final long SETTLE_MS = 300;
  private static final long PATIENCE_MS = 3_000;
  private static final double NANOS_PER_MS = 1e6;

  private final Testbed testbed;
  private final Setting setting;
  private final double[] weights;
  private final List<BenchJob> jobs;
  private final List<Double> reactions = new ArrayList<>();

  /** What became of it. Immutable. */
  record Outcome(
      String weights,
      String flows,
      String parts,
      double jain,
      double error,
      double bytesPerSecond,
      List<Double> reactions) {}

  Case(Testbed testbed, Setting setting, double... weights) {
    this.testbed = testbed;
    this.setting = setting;
    this.weights = weights;
    this.jobs = IntStream.rangeClosed(1, weights.length).mapToObj(BenchJob::new).toList();
  }

  Outcome run() throws IOException, InterruptedException {
    for (int i = 0; i < weights.length; i++) {
      arrive(jobs.get(i), (float) weights[i]);
    }
    Thread.sleep(SETTLE_MS);
    Bytes before = testbed.bytes(Plane.OURS);
    Thread.sleep(setting.windowMs());
    Bytes after = testbed.bytes(Plane.OURS);
    killFirst();
    for (BenchJob job : jobs.subList(1, jobs.size())) {
      testbed.kill(job);
    }
    testbed.forgetOurs(jobs);
    return outcome(before, after);
  }

  private void arrive(BenchJob job, float weight) throws IOException, InterruptedException {
    long begun = System.nanoTime();
    testbed.startOurs(job, weight, FairnessBenchmark.REDUCERS, setting.maps());
    Look seen = await(begun, look -> look.job(job).demand() > 0, job.id() + " asks for no flow");
    react(seen.nanos(), look -> look.job(job).demand() > 0 && look.inForce());
  }

  private void killFirst() throws IOException, InterruptedException {
    long begun = System.nanoTime();
    testbed.kill(jobs.get(0));
    react(begun, look -> look.job(jobs.get(0)).demand() == 0 && look.inForce());
  }

  /** The first job has nothing to take from anybody: its arrival is not counted. */
  private void react(long begun, Predicate<Look> inForce) throws IOException, InterruptedException {
    Look done = testbed.watch().await(begun, PATIENCE_MS, inForce);
    double ms = done == null ? PATIENCE_MS : (done.nanos() - begun) / NANOS_PER_MS;
    reactions.add(ms);
  }

  private Look await(long since, Predicate<Look> wanted, String otherwise)
      throws IOException, InterruptedException {
    @Nullable Look look = testbed.watch().await(since, PATIENCE_MS, wanted);
    if (look == null) {
      throw new IOException(otherwise);
    }
    return look;
  }

  private Outcome outcome(Bytes before, Bytes after) {
    double[] moved = jobs.stream().mapToDouble(job -> after.of(job) - before.of(job)).toArray();
    double all = Arrays.stream(moved).sum();
    List<Look> looks = testbed.watch().between(before.nanos(), after.nanos());
    String flows =
        jobs.stream()
            .map(
                job ->
                    String.format(
                        "%.1f",
                        looks.stream().mapToInt(look -> look.job(job).flows()).average().orElse(0)))
            .collect(Collectors.joining(" "));
    return new Outcome(
        join(weights, "%.0f"),
        flows,
        join(Arrays.stream(moved).map(one -> one / all).toArray(), "%.3f"),
        Fairness.jain(moved, weights),
        Fairness.shareError(moved, weights),
        all / ((after.nanos() - before.nanos()) / (double) TimeUnit.SECONDS.toNanos(1)),
        reactions.subList(1, reactions.size()));
  }

  private static String join(double[] numbers, String format) {
    return Arrays.stream(numbers)
        .mapToObj(number -> String.format(format, number))
        .collect(Collectors.joining(" "));
  }
}
