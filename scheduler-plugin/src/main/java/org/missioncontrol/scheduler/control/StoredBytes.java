/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.control;

import java.util.List;

/**
 * What a host stores of one job's map outputs. Immutable.
 *
 * @param outputs map outputs that are counted
 * @param partitionBytes their bytes by partition, at most {@link #MAX_PARTITIONS}
 */
public record StoredBytes(int outputs, List<Long> partitionBytes) {
  /** Jobs with more reducers share a host's flows evenly among their tasks. */
  public static final int MAX_PARTITIONS = 4096;

  /** Copies the list. */
  public StoredBytes {
    partitionBytes = List.copyOf(partitionBytes);
  }
}
