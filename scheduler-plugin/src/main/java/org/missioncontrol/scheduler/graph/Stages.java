/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.graph;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A graph cut into stages. Immutable.
 *
 * @param list by depth, then by name
 * @param stageOf number in the list of each node's stage
 * @param members nodes of each stage
 * @param references made by all nodes of each stage
 */
record Stages(List<Stage> list, Ints stageOf, List<Ints> members, Ints references) {
  private record Key(int depth, String operation) {}

  static Stages of(TaskGraph graph) {
    int[] depths = depths(graph);
    Map<Key, Ints> groups = new HashMap<>();
    for (int node = 0; node < graph.nodes(); node++) {
      Key key = new Key(depths[node], graph.operation(node));
      groups.computeIfAbsent(key, added -> new Ints()).add(node);
    }
    List<Stage> list = new ArrayList<>();
    List<Ints> members = new ArrayList<>();
    int[] stageOf = new int[graph.nodes()];
    groups.entrySet().stream()
        .sorted(
            Map.Entry.comparingByKey(
                Comparator.comparingInt(Key::depth).thenComparing(Key::operation)))
        .forEach(
            group -> {
              Ints nodes = group.getValue();
              for (int i = 0; i < nodes.size(); i++) {
                stageOf[nodes.get(i)] = list.size();
              }
              list.add(new Stage(group.getKey().depth(), group.getKey().operation(), nodes.size()));
              members.add(nodes);
            });
    int[] references = new int[list.size()];
    for (int reference = 0; reference < graph.references(); reference++) {
      references[stageOf[graph.maker(reference)]]++;
    }
    return new Stages(
        List.copyOf(list), Ints.of(stageOf), List.copyOf(members), Ints.of(references));
  }

  /** Breadth first: a node is visited in the wave after the last of those that it reads of. */
  private static int[] depths(TaskGraph graph) {
    List<Ints> readers = new ArrayList<>();
    for (int node = 0; node < graph.nodes(); node++) {
      readers.add(new Ints());
    }
    int[] missing = new int[graph.nodes()];
    Ints wave = new Ints();
    for (int node = 0; node < graph.nodes(); node++) {
      missing[node] = graph.reads(node).length;
      for (int reference : graph.reads(node)) {
        readers.get(graph.maker(reference)).add(node);
      }
      if (missing[node] == 0) {
        wave.add(node);
      }
    }
    int[] depths = new int[graph.nodes()];
    int visited = 0;
    for (int depth = 0; wave.size() > 0; depth++) {
      Ints next = new Ints();
      for (int i = 0; i < wave.size(); i++) {
        int node = wave.get(i);
        depths[node] = depth;
        visited++;
        Ints after = readers.get(node);
        for (int j = 0; j < after.size(); j++) {
          if (--missing[after.get(j)] == 0) {
            next.add(after.get(j));
          }
        }
      }
      wave = next;
    }
    if (visited < graph.nodes()) {
      throw new IllegalArgumentException(
          "tasks wait for each other: " + (graph.nodes() - visited) + " can never run");
    }
    return depths;
  }
}
