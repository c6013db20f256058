/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.control;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.missioncontrol.scheduler.am.Node;

/**
 * Which of a cluster's nodes run reducers of which job: the largest job has some on every node, the
 * {@code k}-th largest on a {@code k}-th of them (Zipf), each in a row of neighbours. Immutable.
 */
final class Fleet {
  private static final int PORT = 13_562;

  private final int nodes;
  private final int[] first;

  Fleet(int nodes, int jobs, long seed) {
    this.nodes = nodes;
    this.first = new Random(seed).ints(jobs, 0, nodes).toArray();
  }

  int nodes() {
    return nodes;
  }

  int jobs() {
    return first.length;
  }

  /** Nodes with reducers of a job. */
  int size(int job) {
    return Math.max(1, nodes / (job + 1));
  }

  /** The node of the job's ApplicationMaster. */
  int master(int job) {
    return first[job];
  }

  /** Numbers of the nodes with reducers of a job. */
  List<Integer> places(int job) {
    List<Integer> places = new ArrayList<>(size(job));
    for (int i = 0; i < size(job); i++) {
      places.add((first[job] + i) % nodes);
    }
    return places;
  }

  /** The same as an ApplicationMaster knows them. */
  Set<Node> reducerNodes(int job) {
    Set<Node> reducers = new HashSet<>();
    places(job).forEach(place -> reducers.add(node(place)));
    return reducers;
  }

  /** The node with that number, as an ApplicationMaster knows it. */
  static Node node(int place) {
    return new Node("n" + place, PORT);
  }

  /** The number of a node. */
  static int place(Node node) {
    return Integer.parseInt(node.host().substring(1));
  }

  /** Jobs on each node. */
  int[] jobsOn() {
    int[] jobsOn = new int[nodes];
    for (int job = 0; job < jobs(); job++) {
      places(job).forEach(place -> jobsOn[place]++);
    }
    return jobsOn;
  }
}
