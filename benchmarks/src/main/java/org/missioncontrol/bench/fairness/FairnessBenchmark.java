/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.fairness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.missioncontrol.bench.host.BenchJob;
import org.missioncontrol.bench.host.Plane;
import org.missioncontrol.bench.kit.Benchmark;
import org.missioncontrol.bench.kit.Progress;
import org.missioncontrol.bench.kit.Result;
import org.missioncontrol.bench.kit.Scratch;
import org.missioncontrol.bench.kit.Words;
import org.missioncontrol.bench.net.Link;

/** See {@link #summary} and {@link #options}. Immutable. */
public final class FairnessBenchmark implements Benchmark {
  private static final int WARM_UP_MB = 4;

  /** Of each job that shares by weight. */
  static final int REDUCERS = 1;

  /** Made by the command. */
  public FairnessBenchmark() {}

  @Override
  public String name() {
    return "fairness";
  }

  @Override
  public String summary() {
    return "how jobs share a link by weight, how soon and how fully, beside stock";
  }

  @Override
  public String options() {
    return Setting.OPTIONS;
  }

  @Override
  public Result run(Words words) throws IOException, InterruptedException {
    Setting setting = Setting.parse(words);
    List<BenchJob> jobs =
        IntStream.rangeClosed(1, Math.max(2, setting.mostJobs())).mapToObj(BenchJob::new).toList();
    Findings findings = new Findings();
    Progress.say("starting hosts and services");
    try (Scratch scratch = Scratch.make(name());
        Testbed testbed = Testbed.start(setting, scratch.path(), jobs)) {
      Progress.say("warming up");
      for (Plane plane : Plane.values()) {
        SmallJob.run(plane, testbed, setting, WARM_UP_MB);
      }
      for (int round = 0; round < setting.rounds(); round++) {
        for (Plane plane : Plane.values()) {
          Progress.say("a small job beside a large one, " + plane);
          findings.small(plane, SmallJob.run(plane, testbed, setting, setting.smallMb()));
        }
        for (double[] weights : setting.cases()) {
          Progress.say("weights " + Arrays.toString(weights));
          findings.add(new Case(testbed, setting, weights).run());
        }
      }
      if (!setting.trace().isEmpty()) {
        Files.writeString(Path.of(setting.trace()), testbed.watch().trace());
      }
    }
    System.out.println(findings.table(new Link(setting.mbit(), 1).bytesPerSecond()));
    return findings.result(name());
  }
}
