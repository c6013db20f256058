/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.terasort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.missioncontrol.bench.cluster.LocalCluster;
import org.missioncontrol.bench.cluster.LocalClusterBuilder;
import org.missioncontrol.bench.cluster.NodeSpec;
import org.missioncontrol.bench.net.Link;
import org.missioncontrol.bench.net.Network;
import org.missioncontrol.bench.net.Topology;

/** The command {@code benchmarks/terasort}. Owned by the main thread. */
public final class TeraSortDemo {
  private static final String OUTPUT = "/terasort/output";
  private static final int NODE_MEMORY_MB = 3072;
  private static final int USAGE_ERROR = 2;

  /** Of each port of the network. */
  private static final int QUEUE_MS = 20;

  private final Options options;
  private final Console console = new Console();
  private final Report report = new Report();
  private final NodeSpec spec = NodeSpec.ours().withMemoryMb(NODE_MEMORY_MB);

  private TeraSortDemo(Options options) {
    this.options = options;
  }

  /** Entry point; see {@code --help}. */
  public static void main(String[] arguments) throws Exception {
    List<String> words = List.of(arguments);
    if (words.contains("--help")) {
      System.out.print(Options.USAGE);
      return;
    }
    Options options;
    try {
      options = Options.parse(words);
    } catch (IllegalArgumentException e) {
      System.err.println("terasort: " + e.getMessage());
      System.exit(USAGE_ERROR);
      return;
    }
    System.exit(run(options));
  }

  /** Runs it all; 0 when all is well, else 1, and the reasons are printed. */
  static int run(Options options) throws InterruptedException {
    TeraSortDemo demo = new TeraSortDemo(options);
    try {
      demo.run();
    } catch (IOException e) {
      e.printStackTrace(System.out);
      demo.report.fail(String.valueOf(e.getMessage()).lines().findFirst().orElse("failed"));
      System.out.println(demo.report.outcome());
    }
    return demo.report.passed() ? 0 : 1;
  }

  private void run() throws IOException, InterruptedException {
    Topology topology = options.network();
    if (topology == null) {
      runOn(builder().hdfs(1));
      return;
    }
    console.say(
        options.nodes()
            + " hosts, "
            + topology.label()
            + ", links of "
            + options.mbit()
            + " Mbit/s");
    try (Network network = Network.create()) {
      network.addHosts(topology, options.nodes(), new Link(options.mbit(), QUEUE_MS));
      runOn(builder().hdfs(options.nodes()).on(new NetworkHosts(network)));
    }
  }

  /** Makes the directory, so to be called only when nothing but the cluster can fail any more. */
  private LocalClusterBuilder builder() throws IOException {
    Path work = Files.createTempDirectory("mission-control-terasort-");
    console.say(
        "TeraSort of "
            + options.bytes()
            + " bytes, "
            + options.nodes()
            + " NodeManagers, "
            + options.reduces()
            + " reduces; everything is below "
            + work);
    LocalClusterBuilder builder = LocalCluster.in(work).nodes(options.nodes(), spec);
    return options.keep() ? builder : builder.temporary();
  }

  private void runOn(LocalClusterBuilder builder) throws IOException, InterruptedException {
    console.say("starting HDFS, ResourceManager, job history server and NodeManagers");
    try (LocalCluster cluster = builder.start()) {
      console.say("cluster is up: http://" + cluster.resourceManagerWeb());
      sortOn(cluster);
      if (options.keep()) {
        stay(cluster);
      }
    }
  }

  private void sortOn(LocalCluster cluster) throws IOException, InterruptedException {
    TeraRun run = new TeraRun(cluster, options, console);
    List<Phase> phases = new ArrayList<>();
    phases.add(run.generate());
    FlowSampler sampler = new FlowSampler(cluster);
    Phase sort;
    try {
      sort = run.sort(Plane.MISSION_CONTROL, OUTPUT);
    } finally {
      sampler.close();
    }
    phases.add(sort);
    phases.add(run.validate(OUTPUT));
    Verdict verdict = run.verdict(OUTPUT);
    String ratio = "";
    if (options.rounds() > 0) {
      run.discard(OUTPUT);
      Comparison comparison = new Comparison(cluster, run, console, spec, options.where());
      comparison.run(options.rounds(), report);
      report.append(comparison.table());
      ratio = comparison.ratio();
    }
    report.phases(phases);
    report.bytes(sort);
    report.flows(sampler.hosts(), sampler.samples());
    report.verdict(verdict);
    System.out.print(report);
    System.out.println(report.outcome());
    if (!ratio.isEmpty()) {
      System.out.println(ratio);
    }
  }

  private static void stay(LocalCluster cluster) throws InterruptedException {
    System.out.printf(
        """

        The cluster stays up. Submit a job, through Mission Control, from another shell:

          %s/bin/java -cp '%s:%s/lib/*' org.apache.hadoop.util.RunJar \\
            %s wordcount \\
            -Dmapreduce.job.reduce.shuffle.consumer.plugin.class=org.missioncontrol.shuffle.MissionControlShuffle \\
            -Dyarn.app.mapreduce.am.preemption.policy=org.missioncontrol.scheduler.MissionControlAmPlugin \\
            /terasort/output /wordcount

        Status: %s/missionControl/v1/status
        Stop it with Ctrl-C, or: kill %d
        Its directory stays: %s
        """,
        System.getProperty("java.home"),
        cluster.configurationDirectory(),
        cluster.workDirectory(),
        cluster.classPaths().examples(),
        cluster.shuffleUrl(0),
        ProcessHandle.current().pid(),
        cluster.workDirectory());
    new CountDownLatch(1).await();
  }
}
