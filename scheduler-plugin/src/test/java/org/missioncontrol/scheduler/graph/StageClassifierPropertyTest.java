/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.missioncontrol.scheduler.graph.TaskGraph.Reference;
import org.missioncontrol.scheduler.graph.TaskGraph.Task;

class StageClassifierPropertyTest {
  static LongStream seeds() {
    return LongStream.range(0, 200);
  }

  /** A graph as lists, so that it can be built in any order. */
  private static final class Plan {
    final List<String> operations = new ArrayList<>();
    final List<Integer> makers = new ArrayList<>();
    final List<int[]> reads = new ArrayList<>();

    TaskGraph build(Random order) {
      TaskGraph.Builder builder = TaskGraph.builder();
      Map<Integer, Task> tasks = new HashMap<>();
      for (int task : shuffled(operations.size(), order)) {
        tasks.put(task, builder.task(operations.get(task)));
      }
      Map<Integer, Reference> references = new HashMap<>();
      for (int reference : shuffled(makers.size(), order)) {
        references.put(reference, builder.output(tasks.get(makers.get(reference))));
      }
      for (int read : shuffled(reads.size(), order)) {
        int[] edge = reads.get(read);
        builder.depends(tasks.get(edge[0]), references.get(edge[1]));
      }
      return builder.build();
    }

    private static List<Integer> shuffled(int size, Random order) {
      List<Integer> numbers = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        numbers.add(i);
      }
      Collections.shuffle(numbers, order);
      return numbers;
    }
  }

  private static Plan random(Random random) {
    Plan plan = new Plan();
    int tasks = 1 + random.nextInt(40);
    for (int task = 0; task < tasks; task++) {
      plan.operations.add("op" + random.nextInt(4));
      int before = plan.makers.size();
      for (int i = random.nextInt(6); i > 0 && before > 0; i--) {
        plan.reads.add(new int[] {task, random.nextInt(before)});
      }
      for (int i = random.nextInt(4); i > 0; i--) {
        plan.makers.add(task);
      }
    }
    return plan;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theOrderOfBuildingDoesNotMatter(long seed) {
    Random random = new Random(seed);
    Plan plan = random(random);
    assertThat(StageClassifier.classify(plan.build(random)))
        .isEqualTo(StageClassifier.classify(plan.build(random)));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyDependencyIsInExactlyOneTransferAndLeadsDown(long seed) {
    Random random = new Random(seed);
    Plan plan = random(random);
    List<Transfer> transfers = StageClassifier.classify(plan.build(random));
    long distinct =
        plan.reads.stream().map(read -> (long) read[0] << 32 | read[1]).distinct().count();
    assertThat(transfers.stream().mapToLong(Transfer::reads).sum()).isEqualTo(distinct);
    assertThat(transfers).allMatch(transfer -> transfer.from().depth() < transfer.to().depth());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aClassHoldsForItsDefinition(long seed) {
    Random random = new Random(seed);
    int makers = 1 + random.nextInt(5);
    int readers = 1 + random.nextInt(5);
    boolean all = random.nextBoolean();
    Plan plan = new Plan();
    for (int i = 0; i < makers + readers; i++) {
      plan.operations.add(i < makers ? "make" : "read");
    }
    for (int maker = 0; maker < makers; maker++) {
      for (int reader = 0; reader < readers; reader++) {
        if (!all || reader == 0) {
          plan.makers.add(maker);
        }
        plan.reads.add(new int[] {makers + reader, plan.makers.size() - 1});
      }
    }
    StageClass expected =
        all && readers > 1
            ? StageClass.BROADCAST
            : makers == 1 && readers == 1 ? StageClass.ONE_TO_ONE : StageClass.SHUFFLE;
    assertThat(StageClassifier.classify(plan.build(random)))
        .extracting(Transfer::type)
        .containsExactly(expected);
    if (!plan.reads.isEmpty() && readers > 1 && makers > 1) {
      plan.reads.remove(random.nextInt(plan.reads.size()));
      assertThat(StageClassifier.classify(plan.build(random)))
          .extracting(Transfer::type)
          .doesNotContain(StageClass.BROADCAST, StageClass.SHUFFLE);
    }
  }

  /** As many stages as tasks, and a million dependencies: nothing may be looked at twice. */
  @Test
  void largeGraphsAreWalkedInOnePass() {
    TaskGraph.Builder chain = TaskGraph.builder();
    Reference last = chain.input("start");
    for (int i = 0; i < 200_000; i++) {
      Task next = chain.task("step");
      chain.depends(next, last);
      last = chain.output(next);
    }
    assertThat(StageClassifier.classify(chain.build())).hasSize(200_000);

    TaskGraph.Builder wide = TaskGraph.builder();
    Reference[][] outputs = new Reference[1000][1000];
    for (Reference[] made : outputs) {
      Task map = wide.task("map");
      for (int i = 0; i < made.length; i++) {
        made[i] = wide.output(map);
      }
    }
    for (int i = 0; i < 1000; i++) {
      Task reduce = wide.task("reduce");
      for (Reference[] made : outputs) {
        wide.depends(reduce, made[i]);
      }
    }
    assertThat(StageClassifier.classify(wide.build()))
        .containsExactly(
            new Transfer(
                new Stage(0, "map", 1000),
                new Stage(1, "reduce", 1000),
                StageClass.SHUFFLE,
                1_000_000));
  }
}
