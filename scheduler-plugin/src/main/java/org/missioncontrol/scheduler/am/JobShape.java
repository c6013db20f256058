/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import java.util.ArrayList;
import java.util.List;
import org.missioncontrol.conf.JobGraphConfig;
import org.missioncontrol.scheduler.graph.StageClass;
import org.missioncontrol.scheduler.graph.StageClassifier;
import org.missioncontrol.scheduler.graph.TaskGraph;
import org.missioncontrol.scheduler.graph.TaskGraph.Reference;
import org.missioncontrol.scheduler.graph.TaskGraph.Task;
import org.missioncontrol.scheduler.graph.Transfer;

/**
 * A MapReduce job as a task graph: each map reads its split and all cache files and archives, and
 * makes a reference for each partition that holds anything; reducers read these, and the cache.
 * Immutable.
 *
 * <p>The graph is built in miniature: of tasks that no rule of the classifier can tell apart, three
 * stand for all, so a job of 100,000 maps and 2,000 reducers costs what the smallest one costs, and
 * each transfer has the class that it has in full.
 */
record JobShape(int maps, int reduces, JobGraphConfig config) {
  static final String SPLITS = "splits";
  static final String CACHE_FILES = "cache files";
  static final String CACHE_ARCHIVES = "cache archives";
  static final String MAPS = "maps";
  static final String REDUCES = "reduces";

  /** One, a few, many: more of the same changes no class. */
  private static final int MANY = 3;

  /** The graph with at most so many tasks, files or archives of a kind. */
  TaskGraph graph(int most) {
    TaskGraph.Builder graph = TaskGraph.builder();
    List<Reference> cache = new ArrayList<>();
    for (int i = 0; i < Math.min(most, config.cacheFiles()); i++) {
      cache.add(graph.input(CACHE_FILES));
    }
    for (int i = 0; i < Math.min(most, config.cacheArchives()); i++) {
      cache.add(graph.input(CACHE_ARCHIVES));
    }
    List<Task> readers = new ArrayList<>();
    for (int i = 0; i < Math.min(most, reduces); i++) {
      readers.add(graph.task(REDUCES));
    }
    for (int i = 0; i < Math.min(most, maps); i++) {
      Task map = graph.task(MAPS);
      graph.depends(map, graph.input(SPLITS));
      cache.forEach(file -> graph.depends(map, file));
      Reference whole = config.broadcast() ? graph.output(map) : null;
      for (Task reduce : readers) {
        graph.depends(reduce, whole == null ? graph.output(map) : whole);
      }
    }
    readers.forEach(reduce -> cache.forEach(file -> graph.depends(reduce, file)));
    return graph.build();
  }

  /** Every transfer of the job; its tasks are counted in miniature. */
  List<Transfer> transfers() {
    return StageClassifier.classify(graph(MANY));
  }

  /** What the map outputs are to the reducers. */
  StageClass mapOutputs() {
    return transfers().stream()
        .filter(transfer -> transfer.from().operation().equals(MAPS))
        .map(Transfer::type)
        .findFirst()
        .orElse(StageClass.IRREGULAR);
  }

  /** All transfers in one line for the log, with the job's true numbers. */
  String describe() {
    List<String> found = new ArrayList<>();
    for (Transfer transfer : transfers()) {
      found.add(
          name(transfer.from().operation())
              + " to "
              + name(transfer.to().operation())
              + ": "
              + transfer.type().label());
    }
    return found.isEmpty() ? "no transfers" : String.join(", ", found);
  }

  private String name(String operation) {
    int count =
        switch (operation) {
          case CACHE_FILES -> config.cacheFiles();
          case CACHE_ARCHIVES -> config.cacheArchives();
          case REDUCES -> reduces;
          default -> maps;
        };
    return count + " " + operation;
  }
}
