/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.fairness;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.missioncontrol.bench.fairness.Testbed.Bytes;
import org.missioncontrol.bench.host.BenchJob;
import org.missioncontrol.bench.host.Plane;

/** A job with one reducer shuffles beside one with four. */
final class SmallJob {
  static final BenchJob LARGE = new BenchJob(1);
  static final BenchJob SMALL = new BenchJob(2);

  private static final int LARGE_REDUCERS = 4;
  private static final long HEAD_START_MS = 500;

  /**
   * What became of it. Immutable.
   *
   * @param seconds of the small job's shuffle
   * @param bytesPerSecond of both while the small one ran
   */
  record Outcome(double seconds, double bytesPerSecond) {}

  private SmallJob() {}

  /** Runs both; the small one shuffles so many megabytes, and no more than the setting says. */
  static Outcome run(Plane plane, Testbed testbed, Setting setting, int megabytes)
      throws IOException, InterruptedException {
    start(plane, testbed, LARGE, LARGE_REDUCERS, setting.maps());
    Thread.sleep(HEAD_START_MS);
    Bytes before = testbed.bytes(plane);
    start(plane, testbed, SMALL, 1, setting.smallMaps(megabytes));
    double seconds = testbed.awaitSeconds(plane, SMALL);
    Bytes after = testbed.bytes(plane);
    if (plane == Plane.STOCK) {
      testbed.forgetStock(List.of(LARGE, SMALL));
    } else {
      testbed.kill(LARGE);
      testbed.kill(SMALL);
      testbed.forgetOurs(List.of(LARGE, SMALL));
    }
    double took = (after.nanos() - before.nanos()) / (double) TimeUnit.SECONDS.toNanos(1);
    return new Outcome(seconds, (after.total() - before.total()) / took);
  }

  private static void start(Plane plane, Testbed testbed, BenchJob job, int reducers, int maps)
      throws IOException {
    if (plane == Plane.STOCK) {
      testbed.startStock(job, reducers, maps);
    } else {
      testbed.startOurs(job, 1, reducers, maps);
    }
  }
}
