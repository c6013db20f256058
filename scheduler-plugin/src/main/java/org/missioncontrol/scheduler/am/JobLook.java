/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.scheduler.control.ControlProtocol;
import org.missioncontrol.scheduler.control.TransferDescriptor;
import org.missioncontrol.scheduler.graph.StageClass;

/**
 * A job as it was at one moment. Immutable.
 *
 * @param ended whether nothing more will happen
 * @param submitTimeMs since the epoch, 0 where unknown
 * @param reducers reduce attempts that run now, by NodeManager: the partition that each wants, by
 *     attempt
 * @param storedOutputs map outputs that can be fetched now, by NodeManager
 * @param bytesKnown map output bytes finished so far
 * @param reduces reducers of the job, whether they run or not
 * @param transferClass what the map outputs are to the reducers
 */
record JobLook(
    String job,
    boolean ended,
    String user,
    String queue,
    long submitTimeMs,
    Map<Node, Map<String, Integer>> reducers,
    Map<Node, Integer> storedOutputs,
    long bytesKnown,
    int reduces,
    StageClass transferClass) {
  JobLook {
    reducers = Map.copyOf(reducers);
    storedOutputs = Map.copyOf(storedOutputs);
  }

  /** NodeManagers that run a reduce attempt now. */
  Set<Node> reducerNodes() {
    return reducers.keySet();
  }

  /** What the NodeManagers are told. */
  TransferDescriptor describe(JobSettings settings) {
    return new TransferDescriptor(
            ControlProtocol.VERSION,
            job,
            user,
            queue,
            settings.am().priority(),
            transferClass == StageClass.BROADCAST
                ? TransferDescriptor.BROADCAST
                : TransferDescriptor.SHUFFLE,
            submitTimeMs,
            reducers.size(),
            bytesKnown,
            settings.weight(),
            settings.transport())
        .withSegments(segmentBytes());
  }

  /** Each reducer of a broadcast fetches all of a map output, each of a shuffle its part. */
  private @Nullable Long segmentBytes() {
    long outputs = storedOutputs.values().stream().mapToLong(Integer::longValue).sum();
    int parts = transferClass == StageClass.BROADCAST ? 1 : Math.max(1, reduces);
    return outputs == 0 ? null : (Long) (bytesKnown / outputs / parts);
  }
}
