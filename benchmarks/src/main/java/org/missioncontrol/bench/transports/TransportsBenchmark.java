/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.transports;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.missioncontrol.bench.host.BenchJob;
import org.missioncontrol.bench.kit.Benchmark;
import org.missioncontrol.bench.kit.Progress;
import org.missioncontrol.bench.kit.Result;
import org.missioncontrol.bench.kit.Scratch;
import org.missioncontrol.bench.kit.Table;
import org.missioncontrol.bench.kit.Words;
import org.missioncontrol.bench.net.Dctcp;
import org.missioncontrol.bench.net.Network;

/** See {@link #summary} and {@link #options}. Immutable. */
public final class TransportsBenchmark implements Benchmark {
  private static final String TCP = "cubic";
  private static final Set<String> NEED_DCTCP = Set.of("ecn", "dctcp");
  private static final double QUEUE_GOAL = 1 / 3.0;
  private static final double RATE_GOAL = 0.95;
  private static final double TWO_LINKS_GOAL = 1.7;
  private static final double KILO = 1e3;

  /** Made by the command. */
  public TransportsBenchmark() {}

  @Override
  public String name() {
    return "transports";
  }

  @Override
  public String summary() {
    return "one shuffle for each transport: sockets, marks, queue and speed on one link";
  }

  @Override
  public String options() {
    return Setting.OPTIONS;
  }

  @Override
  public Result run(Words words) throws IOException, InterruptedException {
    Setting setting = Setting.parse(words);
    if (setting.twoLinks() && !Network.hasMptcp()) {
      Progress.say("mptcp: left out, this kernel has none");
      setting = setting.without(Setting.MPTCP);
    }
    boolean wanted = setting.names().stream().anyMatch(NEED_DCTCP::contains);
    try (Dctcp dctcp = wanted ? Dctcp.up() : null;
        Scratch scratch = Scratch.make(name());
        Bed bed = new Bed(setting, scratch.path())) {
      Map<String, Measured> all = new LinkedHashMap<>();
      Progress.say("warming up");
      bed.run(new BenchJob(setting.names().size() + 1), keys(TCP));
      for (String transport : setting.names()) {
        if (NEED_DCTCP.contains(transport) && dctcp != null && !dctcp.there()) {
          Progress.say(transport + ": left out, there is no dctcp here");
          continue;
        }
        Progress.say(transport);
        all.put(transport, bed.run(new BenchJob(all.size() + 1), keys(transport)));
      }
      return result(all);
    }
  }

  private static List<String> keys(String transport) {
    return transport.equals("encrypted")
        ? List.of(
            "mapreduce.mission-control.transport=" + TCP,
            "mapreduce.mission-control.encryption=required")
        : List.of("mapreduce.mission-control.transport=" + transport);
  }

  private Result result(Map<String, Measured> all) {
    Measured tcp = all.get(TCP);
    double tcpRate = tcp == null ? Double.NaN : tcp.bytesPerSecond();
    Table table =
        new Table(
            "transport",
            "client",
            "server",
            "ecn",
            "CE marks",
            "subflows",
            "tls",
            "MB/s",
            "queue p95, kB");
    Map<String, Object> trees = new LinkedHashMap<>();
    all.forEach(
        (name, one) -> {
          trees.put(name, one.tree(tcpRate));
          table.row(
              name,
              one.client().congestionControl(),
              one.server().congestionControl(),
              one.client().allEcn() && one.server().allEcn() ? "yes" : "no",
              (double) one.server().ceMarks(),
              (double) one.subflows(),
              one.tls() ? "yes" : "no",
              one.bytesPerSecond() / KILO / KILO,
              one.queueBytes() / KILO);
        });
    System.out.println(table);
    Result result = new Result(name()).with("transports", trees);
    Measured dctcp = all.get("dctcp");
    if (tcp != null && dctcp != null) {
      result
          .atMost("dctcp_queue_to_tcp", dctcp.queueBytes() / tcp.queueBytes(), QUEUE_GOAL)
          .atLeast("dctcp_rate_to_tcp", dctcp.bytesPerSecond() / tcpRate, RATE_GOAL);
    }
    Measured mptcp = all.get(Setting.MPTCP);
    if (tcp != null && mptcp != null) {
      result.atLeast("mptcp_rate_to_tcp", mptcp.bytesPerSecond() / tcpRate, TWO_LINKS_GOAL);
    }
    return result;
  }
}
