/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.mapreduce.JobCounter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.missioncontrol.bench.cluster.Await;
import org.missioncontrol.bench.cluster.LocalCluster;
import org.missioncontrol.bench.cluster.NodeSpec;
import org.missioncontrol.bench.jobs.SortJob;

/** A map output that is lost under the handler is made again, and nothing else is. */
class LostMapOutputIT {
  private static final int MAPS = 6;

  private static LocalCluster cluster;
  private static Sorts sorts;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        LocalCluster.in(Sorts.workDirectory(LostMapOutputIT.class)).node(NodeSpec.ours()).start();
    sorts = new Sorts(cluster);
  }

  @AfterAll
  static void end() throws Exception {
    if (cluster != null) {
      Sorts.end(cluster);
    }
  }

  private interface Damage {
    void to(Path output) throws IOException;
  }

  @Test
  void aDeletedOutput() throws Exception {
    assertMadeAgain("deleted", Files::delete);
  }

  @Test
  void aCutOutput() throws Exception {
    assertMadeAgain(
        "cut",
        output -> {
          try (FileChannel file = FileChannel.open(output, StandardOpenOption.WRITE)) {
            file.truncate(file.size() / 2);
          }
        });
  }

  @Test
  void aDeletedIndex() throws Exception {
    assertMadeAgain("index", output -> Files.delete(output.resolveSibling("file.out.index")));
  }

  private void assertMadeAgain(String name, Damage damage) throws Exception {
    Path gate = cluster.workDirectory().resolve("gate-" + name);
    SortJob sort =
        SortJob.of(MAPS, 2, 1_000_000)
            .onMissionControl()
            .holdingMapsFrom(MAPS - 1, gate)
            .with("mapreduce.job.reduce.slowstart.completedmaps", 1);
    Sorts.Running run = sorts.submit(sort);
    Await.until(
        "all maps but the held one",
        Sorts.LIMIT,
        () -> outputs(run).size() == MAPS - 1 && run.job().job().mapProgress() >= 0.8f,
        cluster::tails);
    damage.to(outputs(run).get(0));
    Files.createFile(gate);

    run.job().awaitSuccess(Sorts.LIMIT);
    assertThat(run.job().counter(JobCounter.TOTAL_LAUNCHED_MAPS)).isEqualTo(MAPS + 1);
    assertThat(Sorts.ours(run, "LOCAL_FALLBACKS")).isPositive();
    assertThat(Sorts.ours(run, "MAPS_REFUSED")).isPositive();
    Sorts.Running whole = sorts.run(SortJob.of(MAPS, 2, 1_000_000));
    assertThat(sorts.digests(run)).isEqualTo(sorts.digests(whole));
    HostStatus.awaitWholeBudget(cluster);
  }

  private static List<Path> outputs(Sorts.Running run) throws IOException {
    String application = run.id().replace("job_", "application_");
    Path local = cluster.nodeLocalDirectory(0);
    try (Stream<Path> files = Files.find(local, 10, (path, what) -> what.isRegularFile())) {
      return files
          .filter(path -> path.toString().contains(application + "/output/"))
          .filter(path -> path.getFileName().toString().equals("file.out"))
          .sorted()
          .toList();
    } catch (java.io.UncheckedIOException e) {
      // a file went while the tree was walked; the caller looks again
      return List.of();
    }
  }
}
