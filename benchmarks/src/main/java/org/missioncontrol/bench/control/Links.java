/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.control;

import java.util.Map;
import java.util.stream.IntStream;
import org.missioncontrol.scheduler.am.Node;

/** Bytes of control messages on each host's link, to and from it. Not shared. */
final class Links {
  private final double[] toNodes;
  private final double[] fromNodes;
  private final double[] toMasters;
  private final double[] fromMasters;
  private long messages;

  Links(int hosts) {
    toNodes = new double[hosts];
    fromNodes = new double[hosts];
    toMasters = new double[hosts];
    fromMasters = new double[hosts];
  }

  /** Adds what one ApplicationMaster said to the hosts of its reducers. */
  void add(Fleet fleet, int job, Map<Node, Integer> calls, MessageBytes[] sizes) {
    int master = fleet.master(job);
    for (int place : fleet.places(job)) {
      int count = calls.getOrDefault(Fleet.node(place), 0);
      double there = count * sizes[place].toNode();
      double back = count * sizes[place].fromNode();
      messages += count;
      toNodes[place] += there;
      fromNodes[place] += back;
      toMasters[master] += back;
      fromMasters[master] += there;
    }
  }

  long messages() {
    return messages;
  }

  /** Of NodeManagers alone: bytes on the busiest link in its busier direction. */
  double worstNode() {
    return busiest(toNodes, fromNodes);
  }

  /** Of ApplicationMasters alone. */
  double worstMaster() {
    return busiest(toMasters, fromMasters);
  }

  /** Of both on their hosts. */
  double worst() {
    return busiest(sum(toNodes, toMasters), sum(fromNodes, fromMasters));
  }

  private static double busiest(double[] in, double[] out) {
    return IntStream.range(0, in.length).mapToDouble(i -> Math.max(in[i], out[i])).max().orElse(0);
  }

  private static double[] sum(double[] one, double[] other) {
    return IntStream.range(0, one.length).mapToDouble(i -> one[i] + other[i]).toArray();
  }
}
