/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import java.util.Set;
import org.missioncontrol.scheduler.control.ControlProtocol;
import org.missioncontrol.scheduler.control.TransferDescriptor;

/**
 * A job as it was at one moment. Immutable.
 *
 * @param ended whether nothing more will happen
 * @param submitTimeMs since the epoch, 0 where unknown
 * @param reducerNodes NodeManagers that run a reduce attempt now
 * @param bytesKnown map output bytes finished so far
 */
record JobLook(
    String job,
    boolean ended,
    String user,
    String queue,
    long submitTimeMs,
    Set<Node> reducerNodes,
    long bytesKnown) {
  JobLook {
    reducerNodes = Set.copyOf(reducerNodes);
  }

  /** What the NodeManagers are told. */
  TransferDescriptor describe(JobSettings settings) {
    return new TransferDescriptor(
        ControlProtocol.VERSION,
        job,
        user,
        queue,
        settings.am().priority(),
        "shuffle",
        submitTimeMs,
        reducerNodes.size(),
        bytesKnown,
        settings.weight(),
        settings.transport());
  }
}
