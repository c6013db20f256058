/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.missioncontrol.conf.JobGraphConfig;
import org.missioncontrol.scheduler.graph.StageClass;
import org.missioncontrol.scheduler.graph.StageClassifier;
import org.missioncontrol.scheduler.graph.TaskGraph;
import org.missioncontrol.scheduler.graph.Transfer;

class JobShapeTest {
  private static JobShape shape(int maps, int reduces, boolean broadcast) {
    return new JobShape(maps, reduces, new JobGraphConfig(0, 0, broadcast));
  }

  @Test
  void mapOutputsAreAShuffleUnlessEveryReducerReadsAllOfThem() {
    assertThat(shape(20, 4, false).mapOutputs()).isEqualTo(StageClass.SHUFFLE);
    assertThat(shape(20, 4, true).mapOutputs()).isEqualTo(StageClass.BROADCAST);
    assertThat(shape(1, 4, false).mapOutputs()).isEqualTo(StageClass.SHUFFLE);
    assertThat(shape(1, 4, true).mapOutputs()).isEqualTo(StageClass.BROADCAST);
  }

  @Test
  void oneReducerMakesNoBroadcast() {
    assertThat(shape(20, 1, true).mapOutputs()).isEqualTo(StageClass.SHUFFLE);
  }

  @Test
  void aJobWithoutReducersOrMapsHasNoMapOutputsToMove() {
    assertThat(shape(20, 0, false).mapOutputs()).isEqualTo(StageClass.IRREGULAR);
    assertThat(shape(0, 3, false).mapOutputs()).isEqualTo(StageClass.IRREGULAR);
    assertThat(shape(0, 0, false).describe()).isEqualTo("no transfers");
  }

  @Test
  void everyTransferIsDescribedWithTheTrueNumbers() {
    assertThat(new JobShape(100, 20, new JobGraphConfig(2, 1, false)).describe())
        .isEqualTo(
            "1 cache archives to 100 maps: broadcast, 2 cache files to 100 maps: broadcast,"
                + " 100 splits to 100 maps: one-to-one, 1 cache archives to 20 reduces: broadcast,"
                + " 2 cache files to 20 reduces: broadcast, 100 maps to 20 reduces: shuffle");
  }

  @Test
  void theMiniatureHasTheClassesOfTheWholeGraph() {
    Random random = new Random(5);
    for (int i = 0; i < 300; i++) {
      JobShape shape =
          new JobShape(
              random.nextInt(9),
              random.nextInt(9),
              new JobGraphConfig(random.nextInt(5), random.nextInt(5), random.nextBoolean()));
      assertThat(classes(shape.graph(3))).as("%s", shape).isEqualTo(classes(shape.graph(100)));
    }
  }

  private static Map<String, StageClass> classes(TaskGraph graph) {
    Map<String, StageClass> classes = new TreeMap<>();
    for (Transfer transfer : StageClassifier.classify(graph)) {
      classes.put(transfer.from().operation() + ">" + transfer.to(), transfer.type());
    }
    return withoutCounts(classes);
  }

  private static Map<String, StageClass> withoutCounts(Map<String, StageClass> classes) {
    Map<String, StageClass> same = new TreeMap<>();
    classes.forEach((name, type) -> same.put(name.replaceAll("tasks=\\d+", ""), type));
    return same;
  }

  @Test
  void aHugeJobCostsWhatASmallOneCosts() {
    assertThat(shape(100_000, 2_000, false).transfers()).hasSize(2);
    assertThat(shape(Integer.MAX_VALUE, Integer.MAX_VALUE, true).mapOutputs())
        .isEqualTo(StageClass.BROADCAST);
  }
}
