/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.missioncontrol.bench.control.ControlBenchmark;
import org.missioncontrol.bench.datapath.LocalBenchmark;
import org.missioncontrol.bench.datapath.MemoryBenchmark;
import org.missioncontrol.bench.datapath.SegmentSizesBenchmark;
import org.missioncontrol.bench.datapath.SmallSegmentsBenchmark;
import org.missioncontrol.bench.datapath.ThroughputBenchmark;
import org.missioncontrol.bench.fairness.FairnessBenchmark;
import org.missioncontrol.bench.kit.Benchmark;
import org.missioncontrol.bench.kit.CannotRunException;
import org.missioncontrol.bench.kit.Machine;
import org.missioncontrol.bench.kit.Result;
import org.missioncontrol.bench.kit.Words;
import org.missioncontrol.bench.micro.MicroBenchmark;
import org.missioncontrol.bench.shortjob.ShortJobBenchmark;
import org.missioncontrol.bench.sort.DctcpBenchmark;
import org.missioncontrol.bench.sort.FlowsBenchmark;
import org.missioncontrol.bench.terasort.TeraSortBenchmark;
import org.missioncontrol.bench.transports.TransportsBenchmark;

/** {@code benchmarks/bench NAME [--quick] [options]}. */
public final class Bench {
  private static final List<Benchmark> ALL =
      List.of(
          new ControlBenchmark(),
          new FairnessBenchmark(),
          new ShortJobBenchmark(),
          new TransportsBenchmark(),
          new ThroughputBenchmark(),
          new LocalBenchmark(),
          new SmallSegmentsBenchmark(),
          new SegmentSizesBenchmark(),
          new MemoryBenchmark(),
          new DctcpBenchmark(),
          new FlowsBenchmark(),
          new TeraSortBenchmark(),
          new MicroBenchmark());
  private static final int FAILED = 1;
  private static final int USAGE_ERROR = 2;
  private static final int CANNOT_RUN = 3;
  private static final double NANOS_PER_SECOND = 1e9;

  private Bench() {}

  /** Entry point; see {@code --help}. */
  public static void main(String[] arguments) throws InterruptedException {
    System.exit(run(List.of(arguments)));
  }

  /** 0, or what went wrong; a goal that was missed is a result and no failure. */
  static int run(List<String> arguments) throws InterruptedException {
    if (arguments.isEmpty() || arguments.get(0).equals("--help")) {
      System.out.print(usage());
      return arguments.isEmpty() ? USAGE_ERROR : 0;
    }
    String name = arguments.get(0);
    if (name.equals("list")) {
      System.out.print(list());
      return 0;
    }
    Benchmark benchmark =
        ALL.stream().filter(one -> one.name().equals(name)).findFirst().orElse(null);
    if (benchmark == null) {
      System.err.println("bench: no benchmark " + name + "; there are:\n" + list());
      return USAGE_ERROR;
    }
    if (arguments.contains("--help")) {
      System.out.println(benchmark.name() + ": " + benchmark.summary());
      System.out.print(benchmark.options());
      return 0;
    }
    return measure(benchmark, new Words(arguments.subList(1, arguments.size())));
  }

  private static int measure(Benchmark benchmark, Words words) throws InterruptedException {
    long begun = System.nanoTime();
    try {
      System.out.println(benchmark.name() + ": " + benchmark.summary());
      System.out.println(Machine.line());
      Result result = benchmark.run(words);
      System.out.println(result.goals());
      System.out.printf(
          Locale.ROOT,
          "took %.0f s; load at the end %s%n",
          (System.nanoTime() - begun) / NANOS_PER_SECOND,
          Machine.load());
      System.out.println(result.json());
      return 0;
    } catch (IllegalArgumentException e) {
      System.err.println("bench " + benchmark.name() + ": " + e.getMessage() + "; try --help");
      return USAGE_ERROR;
    } catch (CannotRunException e) {
      System.err.println("bench " + benchmark.name() + " cannot run here: " + e.getMessage());
      return CANNOT_RUN;
    } catch (IOException e) {
      e.printStackTrace(System.err);
      return FAILED;
    }
  }

  private static String list() {
    StringBuilder list = new StringBuilder();
    for (Benchmark benchmark : ALL) {
      list.append(String.format("  %-14s %s%n", benchmark.name(), benchmark.summary()));
    }
    return list.toString();
  }

  private static String usage() {
    return "benchmarks/bench NAME [--quick] [options]   measure; the last line is JSON\n"
        + "benchmarks/bench NAME --help                the options\n"
        + "benchmarks/bench list                       this list:\n"
        + list();
  }
}
