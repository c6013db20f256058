/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.missioncontrol.scheduler.graph.StageClass.BROADCAST;
import static org.missioncontrol.scheduler.graph.StageClass.IRREGULAR;
import static org.missioncontrol.scheduler.graph.StageClass.ONE_TO_ONE;
import static org.missioncontrol.scheduler.graph.StageClass.SHUFFLE;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.missioncontrol.scheduler.graph.TaskGraph.Reference;
import org.missioncontrol.scheduler.graph.TaskGraph.Task;

class StageClassifierTest {
  private final TaskGraph.Builder graph = TaskGraph.builder();

  private List<Task> tasks(String operation, int count) {
    return IntStream.range(0, count).mapToObj(i -> graph.task(operation)).toList();
  }

  private void oneToOne(List<Task> from, List<Task> to) {
    for (int i = 0; i < to.size(); i++) {
      graph.depends(to.get(i), graph.output(from.get(i)));
    }
  }

  private void shuffle(List<Task> from, List<Task> to) {
    from.forEach(maker -> to.forEach(reader -> graph.depends(reader, graph.output(maker))));
  }

  private void broadcast(List<Task> from, List<Task> to, int outputs) {
    for (Task maker : from) {
      for (int i = 0; i < outputs; i++) {
        Reference output = graph.output(maker);
        to.forEach(reader -> graph.depends(reader, output));
      }
    }
  }

  /** "from@depth>to@depth" to class. */
  private Map<String, StageClass> classes() {
    return StageClassifier.classify(graph.build()).stream()
        .collect(Collectors.toMap(t -> name(t.from()) + ">" + name(t.to()), Transfer::type));
  }

  private static String name(Stage stage) {
    return stage.operation() + stage.depth();
  }

  @Test
  void mapReduceIsAShuffleAndItsSplitsAreReadOneToOne() {
    List<Task> maps = tasks("map", 5);
    List<Task> reduces = tasks("reduce", 3);
    maps.forEach(map -> graph.depends(map, graph.input("split")));
    shuffle(maps, reduces);
    assertThat(classes()).isEqualTo(Map.of("split0>map1", ONE_TO_ONE, "map1>reduce2", SHUFFLE));
  }

  @Test
  void onePartitionForAllIsABroadcast() {
    List<Task> maps = tasks("map", 5);
    broadcast(maps, tasks("reduce", 3), 1);
    assertThat(classes()).isEqualTo(Map.of("map0>reduce1", BROADCAST));
  }

  @Test
  void allOfSeveralReferencesEachIsABroadcast() {
    broadcast(tasks("map", 4), tasks("reduce", 2), 3);
    assertThat(classes()).isEqualTo(Map.of("map0>reduce1", BROADCAST));
  }

  @Test
  void aSingleReaderIsNeverABroadcast() {
    broadcast(tasks("map", 4), tasks("gather", 1), 1);
    broadcast(tasks("scan", 4), tasks("collect", 1), 3);
    assertThat(classes()).isEqualTo(Map.of("map0>gather1", SHUFFLE, "scan0>collect1", SHUFFLE));
  }

  @Test
  void oneTaskToOneTaskIsOneToOne() {
    shuffle(tasks("map", 1), tasks("reduce", 1));
    assertThat(classes()).isEqualTo(Map.of("map0>reduce1", ONE_TO_ONE));
  }

  @Test
  void inputsThatAllReadAreABroadcastOfTheirCollectionOnly() {
    List<Task> maps = tasks("map", 3);
    Reference table = graph.input("cache file");
    for (Task map : maps) {
      graph.depends(map, graph.input("split")).depends(map, table);
    }
    assertThat(classes())
        .isEqualTo(Map.of("cache file0>map1", BROADCAST, "split0>map1", ONE_TO_ONE));
  }

  @Test
  void stagesOfAPipelineAreClassifiedEachForItself() {
    List<Task> scan = tasks("scan", 4);
    List<Task> filter = tasks("filter", 4);
    List<Task> group = tasks("group", 3);
    List<Task> top = tasks("top", 1);
    List<Task> join = tasks("join", 5);
    oneToOne(scan, filter);
    shuffle(filter, group);
    shuffle(group, top);
    broadcast(top, join, 1);
    assertThat(classes())
        .isEqualTo(
            Map.of(
                "scan0>filter1", ONE_TO_ONE,
                "filter1>group2", SHUFFLE,
                "group2>top3", SHUFFLE,
                "top3>join4", BROADCAST));
  }

  @Test
  void theArmsOfADiamondAreClassifiedEachForItself() {
    List<Task> source = tasks("source", 3);
    List<Task> left = tasks("left", 2);
    List<Task> right = tasks("right", 3);
    List<Task> sink = tasks("sink", 4);
    shuffle(source, left);
    broadcast(source, right, 1);
    broadcast(left, sink, 2);
    shuffle(right, sink);
    // The source makes references for both arms, so the right one does not read all of them.
    assertThat(classes())
        .isEqualTo(
            Map.of(
                "source0>left1", SHUFFLE,
                "source0>right1", SHUFFLE,
                "left1>sink2", BROADCAST,
                "right1>sink2", SHUFFLE));
  }

  @Test
  void aReaderOfTwoDepthsWaitsForTheDeeperOne() {
    List<Task> first = tasks("first", 2);
    List<Task> second = tasks("second", 2);
    List<Task> third = tasks("third", 2);
    shuffle(first, second);
    shuffle(second, third);
    shuffle(first, third);
    assertThat(classes())
        .isEqualTo(
            Map.of("first0>second1", SHUFFLE, "second1>third2", SHUFFLE, "first0>third2", SHUFFLE));
  }

  @Test
  void eachRoundOfKMeansReadsItsPointsOneToOneAndTheCentresAsABroadcast() {
    List<Reference> points = IntStream.range(0, 6).mapToObj(i -> graph.input("points")).toList();
    Reference centres = graph.input("centres");
    for (int round = 0; round < 3; round++) {
      List<Task> assign = tasks("assign", points.size());
      Task update = graph.task("update");
      for (int i = 0; i < points.size(); i++) {
        graph.depends(assign.get(i), points.get(i)).depends(assign.get(i), centres);
        graph.depends(update, graph.output(assign.get(i)));
      }
      centres = graph.output(update);
    }
    Map<String, StageClass> classes = classes();
    assertThat(classes).hasSize(3 + 3 + 3);
    assertThat(classes)
        .containsEntry("centres0>assign1", BROADCAST)
        .containsEntry("update2>assign3", BROADCAST)
        .containsEntry("update4>assign5", BROADCAST)
        .containsEntry("points0>assign1", ONE_TO_ONE)
        .containsEntry("points0>assign5", ONE_TO_ONE)
        .containsEntry("assign5>update6", SHUFFLE);
  }

  @Test
  void aStageOfWhichOnlySomeReadIsIrregular() {
    List<Task> maps = tasks("map", 3);
    List<Task> reduces = tasks("reduce", 3);
    maps.forEach(map -> graph.depends(map, graph.input("split")));
    reduces.forEach(reduce -> graph.depends(reduce, graph.output(maps.get(0))));
    graph.depends(reduces.get(0), graph.output(maps.get(1)));
    assertThat(classes()).containsEntry("map1>reduce2", IRREGULAR);
  }

  @Test
  void readsAreCountedOnceForEachReader() {
    List<Task> maps = tasks("map", 4);
    List<Task> reduces = tasks("reduce", 3);
    shuffle(maps, reduces);
    broadcast(reduces, tasks("join", 5), 1);
    assertThat(StageClassifier.classify(graph.build()))
        .extracting(Transfer::reads)
        .containsExactly(4L * 3, 3L * 5);
  }

  @Test
  void aCircleIsRefused() {
    Task hen = graph.task("hen");
    Task egg = graph.task("egg");
    graph.depends(hen, graph.output(egg)).depends(egg, graph.output(hen));
    assertThatThrownBy(() -> StageClassifier.classify(graph.build()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 can never run");
  }

  @Test
  void aReferenceOfAnotherGraphIsRefused() {
    Task task = graph.task("map");
    assertThatThrownBy(() -> graph.depends(task, new Reference(7)))
        .hasMessage("reference of another graph: 7");
  }

  @Test
  void noTasksAreNoTransfers() {
    assertThat(StageClassifier.classify(graph.build())).isEqualTo(new ArrayList<>());
  }
}
