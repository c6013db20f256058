/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.terasort;

import java.io.IOException;
import java.nio.file.Files;
import org.missioncontrol.bench.cluster.LocalCluster;
import org.missioncontrol.bench.cluster.NodeSpec;
import org.missioncontrol.bench.kit.Benchmark;
import org.missioncontrol.bench.kit.Result;
import org.missioncontrol.bench.kit.Words;
import org.missioncontrol.bench.net.Link;
import org.missioncontrol.bench.net.Network;
import org.missioncontrol.bench.net.Topology;

/** See {@link #summary} and {@link #options}. Immutable. */
public final class TeraSortBenchmark implements Benchmark {
  private static final double SHUFFLE_GOAL = 0.7;
  private static final double JOB_GOAL = 0.85;
  private static final int NODE_MEMORY_MB = 3072;

  /** Of each port of the network. */
  private static final int QUEUE_MS = 20;

  /** Made by the command. */
  public TeraSortBenchmark() {}

  @Override
  public String name() {
    return "terasort";
  }

  @Override
  public String summary() {
    return "TeraSort on hosts with shaped links: time of shuffle and of job beside stock's";
  }

  @Override
  public String options() {
    return """
          --quick        400m, 2 rounds: at most ten minutes
          --size SIZE    bytes to sort                              (default 1g)
          --rounds N     sorts of each plane, in turn               (default 5)
          --nodes N      hosts, each a NodeManager and a DataNode   (default 4)
          --reduces N    reduce tasks                               (default 2 for each host)
          --network NAME star or two-racks                          (default star)
          --mbit N       of each host's link                        (default 200)

        All keys have their defaults. Between sorts of different planes the NodeManagers are started
        anew with the other shuffle service. The shuffle's time is from the last map's end to the end of
        the last reducer's shuffle, from the job's history. Needs root, for network namespaces.
      """;
  }

  @Override
  public Result run(Words words) throws IOException, InterruptedException {
    boolean quick = words.flag("--quick");
    int nodes = words.number("--nodes", 4);
    Options options =
        new Options(
            Size.parse(words.text("--size", quick ? "400m" : "1g")),
            nodes,
            words.number("--reduces", 2 * nodes),
            words.number("--rounds", quick ? 2 : 5),
            false,
            null,
            Topology.named(words.text("--network", "star")),
            words.number("--mbit", 200));
    words.none();
    Comparison comparison = compare(options);
    System.out.println(comparison.table());
    return new Result(name())
        .atMost("ratio_shuffle", comparison.shuffleRatio(), SHUFFLE_GOAL)
        .atMost("ratio_job", comparison.jobRatio(), JOB_GOAL);
  }

  private static Comparison compare(Options options) throws IOException, InterruptedException {
    Console console = new Console();
    Topology topology = options.network() == null ? Topology.STAR : options.network();
    NodeSpec spec = NodeSpec.ours().withMemoryMb(NODE_MEMORY_MB);
    try (Network network = Network.create()) {
      network.addHosts(topology, options.nodes(), new Link(options.mbit(), QUEUE_MS));
      try (LocalCluster cluster =
          LocalCluster.in(Files.createTempDirectory("mission-control-terasort-"))
              .nodes(options.nodes(), spec)
              .temporary()
              .hdfs(options.nodes())
              .on(new NetworkHosts(network))
              .start()) {
        TeraRun run = new TeraRun(cluster, options, console);
        run.generate();
        Comparison comparison = new Comparison(cluster, run, console, spec, options.where());
        Report report = new Report();
        comparison.run(options.rounds(), report);
        if (!report.passed()) {
          throw new IOException(report.outcome());
        }
        return comparison;
      }
    }
  }
}
