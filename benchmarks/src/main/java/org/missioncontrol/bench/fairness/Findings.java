/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.fairness;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import org.missioncontrol.bench.host.Plane;
import org.missioncontrol.bench.kit.Progress;
import org.missioncontrol.bench.kit.Result;
import org.missioncontrol.bench.kit.Summary;
import org.missioncontrol.bench.kit.Table;

/** What all rounds found. Not shared. */
final class Findings {
  private static final double JAIN_GOAL = 0.99;
  private static final double ERROR_GOAL = 0.05;
  private static final double REACTION_MEDIAN_GOAL_MS = 100;
  private static final double REACTION_MAX_GOAL_MS = 1_000;
  private static final double UTILISATION_GOAL = 0.95;
  private static final double SPEEDUP_GOAL = 2;

  private final List<Case.Outcome> cases = new ArrayList<>();
  private final List<SmallJob.Outcome> stock = new ArrayList<>();
  private final List<SmallJob.Outcome> ours = new ArrayList<>();

  void add(Case.Outcome outcome) {
    cases.add(outcome);
    Progress.say(
        "  parts "
            + outcome.parts()
            + ", flows "
            + outcome.flows()
            + ", reactions "
            + Summary.of(outcome.reactions())
            + " ms");
  }

  void small(Plane plane, SmallJob.Outcome outcome) {
    (plane == Plane.STOCK ? stock : ours).add(outcome);
    Progress.say("  " + outcome);
  }

  String table(double linkBytesPerSecond) {
    Table table =
        new Table(
            "weights", "flows", "parts of the bytes", "jain", "error", "MB/s", "reactions, ms");
    for (Case.Outcome one : cases) {
      table.row(
          one.weights(),
          one.flows(),
          one.parts(),
          one.jain(),
          one.error(),
          one.bytesPerSecond() / 1e6,
          Summary.of(one.reactions()).toString());
    }
    Table small = new Table("small job beside a large one", "seconds", "MB/s of both");
    for (int i = 0; i < stock.size(); i++) {
      small.row("stock", stock.get(i).seconds(), stock.get(i).bytesPerSecond() / 1e6);
      small.row("ours", ours.get(i).seconds(), ours.get(i).bytesPerSecond() / 1e6);
    }
    return table + "link: " + linkBytesPerSecond / 1e6 + " MB/s with headers\n\n" + small;
  }

  Result result(String name) {
    Summary reactions =
        Summary.of(cases.stream().flatMap(one -> one.reactions().stream()).toList());
    double stockRate = median(stock.stream().mapToDouble(SmallJob.Outcome::bytesPerSecond));
    double slowest =
        DoubleStream.concat(
                cases.stream().mapToDouble(Case.Outcome::bytesPerSecond),
                ours.stream().mapToDouble(SmallJob.Outcome::bytesPerSecond))
            .min()
            .orElse(0);
    return new Result(name)
        .atLeast(
            "jain_weighted_min",
            cases.stream().mapToDouble(Case.Outcome::jain).min().orElse(0),
            JAIN_GOAL)
        .atMost(
            "share_error_max",
            cases.stream().mapToDouble(Case.Outcome::error).max().orElse(1),
            ERROR_GOAL)
        .atMost("reaction_ms_median", reactions.median(), REACTION_MEDIAN_GOAL_MS)
        .atMost("reaction_ms_max", reactions.max(), REACTION_MAX_GOAL_MS)
        .atLeast("utilisation_min", slowest / stockRate, UTILISATION_GOAL)
        .atLeast(
            "small_job_speedup",
            median(stock.stream().mapToDouble(SmallJob.Outcome::seconds))
                / median(ours.stream().mapToDouble(SmallJob.Outcome::seconds)),
            SPEEDUP_GOAL);
  }

  private static double median(DoubleStream values) {
    return Summary.of(values.boxed().toList()).median();
  }
}
