/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.control;

import java.util.Map;
import java.util.stream.IntStream;
import org.missioncontrol.bench.kit.Table;
import org.missioncontrol.conf.Keys;
import org.missioncontrol.scheduler.am.Node;

/**
 * Messages of a whole cluster. Immutable.
 *
 * @param messagesPerSecond of all ApplicationMasters to all NodeManagers
 * @param worstNode bytes a second on the busiest link if it carried a NodeManager's messages only
 * @param worstMaster the same for ApplicationMasters
 * @param worst with both
 */
record Traffic(
    double messagesPerSecond,
    double jobsPerNode,
    double worstNode,
    double worstMaster,
    double worst) {
  private static final int SLOTS = 8;
  private static final long CALL_MS = 2;
  private static final double MS_PER_SECOND = 1_000;

  /**
   * Runs every ApplicationMaster's plan for so much virtual time, with one change of each job's
   * weight, which is news for the other jobs on its nodes.
   */
  static Traffic of(Fleet fleet, MessageBytes withOne, MessageBytes withAll, long forMs) {
    int[] jobsOn = fleet.jobsOn();
    MessageBytes[] sizes =
        IntStream.of(jobsOn)
            .mapToObj(jobs -> MessageBytes.at(jobs, withOne, fleet.jobs(), withAll))
            .toArray(MessageBytes[]::new);
    Links links = new Links(fleet.nodes());
    for (int job = 0; job < fleet.jobs(); job++) {
      MasterRun master =
          new MasterRun(
              Keys.Am.ANNOUNCE_INTERVAL_MS_DEFAULT,
              Keys.Am.POLL_INTERVAL_MS_DEFAULT,
              CALL_MS,
              SLOTS);
      Map<Node, Integer> calls =
          master.run(
              fleet.reducerNodes(job),
              forMs,
              forMs + forMs / 2,
              node -> forMs / Math.max(1, jobsOn[Fleet.place(node)] - 1));
      links.add(fleet, job, calls, sizes);
    }
    double seconds = forMs / MS_PER_SECOND;
    return new Traffic(
        links.messages() / seconds,
        IntStream.of(jobsOn).average().orElse(0),
        links.worstNode() / seconds,
        links.worstMaster() / seconds,
        links.worst() / seconds);
  }

  String table(double linkBytesPerSecond) {
    return new Table("simulated cluster", "", "share of a link")
        .row("jobs on a node, mean", jobsPerNode, "")
        .row("messages/s, all", messagesPerSecond, "")
        .row("busiest NodeManager, bytes/s", worstNode, worstNode / linkBytesPerSecond)
        .row("busiest ApplicationMaster, bytes/s", worstMaster, worstMaster / linkBytesPerSecond)
        .row("busiest host, bytes/s", worst, worst / linkBytesPerSecond)
        .toString();
  }
}
