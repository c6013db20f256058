/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.graph;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds the transfers between the stages of a task graph and classifies each (Nabi's thesis,
 * "Design and Implementation", Master): breadth first from the inputs; where each task of a stage
 * depends on one reference of each task of an earlier stage, that is a shuffle, where each depends
 * on all references, a broadcast. Where both hold, for every earlier task made one reference,
 * several readers make it a broadcast, since every byte goes to each of them; a single one never
 * does.
 *
 * <p>Takes time and memory linear in tasks and dependencies. Immutable.
 */
public final class StageClassifier {
  private StageClassifier() {}

  /**
   * All transfers, by depth of reader and then of what is read.
   *
   * @throws IllegalArgumentException if tasks wait for each other in a circle
   */
  public static List<Transfer> classify(TaskGraph graph) {
    Stages stages = Stages.of(graph);
    List<Transfer> transfers = new ArrayList<>();
    Scan scan = new Scan(graph, stages);
    for (int to = 0; to < stages.list().size(); to++) {
      for (Map.Entry<Integer, Pair> from : scan.read(to).entrySet()) {
        transfers.add(from.getValue().transfer(stages.list().get(from.getKey())));
      }
    }
    transfers.sort(
        Comparator.<Transfer>comparingInt(transfer -> transfer.to().depth())
            .thenComparing(transfer -> transfer.to().operation())
            .thenComparingInt(transfer -> transfer.from().depth())
            .thenComparing(transfer -> transfer.from().operation()));
    return transfers;
  }

  /** Looks at each dependency once. Owned by one classification. */
  private static final class Scan {
    private final TaskGraph graph;
    private final Stages stages;
    // Each remembers for which task, or stage, a number was counted last; 0 is none.
    private final int[] makerSeenByTask;
    private final int[] makerSeenByStage;
    private final int[] referencesRead;
    private final int[] makersRead;
    private final int[] makersNew;

    Scan(TaskGraph graph, Stages stages) {
      this.graph = graph;
      this.stages = stages;
      makerSeenByTask = new int[graph.nodes()];
      makerSeenByStage = new int[graph.nodes()];
      referencesRead = new int[stages.list().size()];
      makersRead = new int[stages.list().size()];
      makersNew = new int[stages.list().size()];
    }

    /** What a stage reads, by the number of the stage that it reads of. */
    Map<Integer, Pair> read(int to) {
      Map<Integer, Pair> pairs = new TreeMap<>();
      Ints tasks = stages.members().get(to);
      for (int i = 0; i < tasks.size(); i++) {
        Ints readOf = count(tasks.get(i), to);
        for (int j = 0; j < readOf.size(); j++) {
          int from = readOf.get(j);
          pairs
              .computeIfAbsent(
                  from,
                  added ->
                      new Pair(
                          stages.list().get(to),
                          stages.list().get(from).tasks(),
                          stages.references().get(from)))
              .add(referencesRead[from], makersRead[from], makersNew[from]);
          referencesRead[from] = 0;
          makersRead[from] = 0;
          makersNew[from] = 0;
        }
      }
      return pairs;
    }

    /** Counts what one task reads; returns the stages that it reads of. */
    private Ints count(int task, int to) {
      Ints readOf = new Ints();
      for (int reference : graph.reads(task)) {
        int maker = graph.maker(reference);
        int from = stages.stageOf().get(maker);
        if (referencesRead[from]++ == 0) {
          readOf.add(from);
        }
        if (makerSeenByTask[maker] != task + 1) {
          makerSeenByTask[maker] = task + 1;
          makersRead[from]++;
        }
        if (makerSeenByStage[maker] != to + 1) {
          makerSeenByStage[maker] = to + 1;
          makersNew[from]++;
        }
      }
      return readOf;
    }
  }

  /** What the tasks of one stage read of another, added up. Owned by one classification. */
  private static final class Pair {
    private final Stage to;
    private final int allMakers;
    private final int allReferences;
    private int makers;
    private int readers;
    private long reads;
    private boolean everything = true;
    private boolean oneOfEach = true;
    private boolean ofOne = true;

    Pair(Stage to, int allMakers, int allReferences) {
      this.to = to;
      this.allMakers = allMakers;
      this.allReferences = allReferences;
    }

    /** One more task reads so many references of so many tasks, some of which no other read of. */
    void add(int references, int makersOfThem, int newMakers) {
      readers++;
      makers += newMakers;
      reads += references;
      everything &= references == allReferences;
      oneOfEach &= references == allMakers && makersOfThem == allMakers;
      ofOne &= makersOfThem == 1;
    }

    Transfer transfer(Stage from) {
      return new Transfer(from, to, type(), reads);
    }

    private StageClass type() {
      if (readers < to.tasks()) {
        return StageClass.IRREGULAR;
      }
      if (readers > 1 && everything) {
        return StageClass.BROADCAST;
      }
      if (ofOne && makers == readers) {
        return StageClass.ONE_TO_ONE;
      }
      return oneOfEach || everything ? StageClass.SHUFFLE : StageClass.IRREGULAR;
    }
  }
}
