/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.control;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a transfer's descriptor says to one host alone. Immutable.
 *
 * @param onlyAsks whether the job has no task here: it is not to be counted, its sender only asks
 *     for the sizes of the map outputs that lie here
 * @param storedKnown {@link StoredBytes#outputs} of which the sender knows already, or less
 * @param wantedBytes map output bytes that each of the job's reduce attempts here wants in all, by
 *     attempt; at most {@link #MAX_TASKS}
 */
public record LocalPart(boolean onlyAsks, int storedKnown, Map<String, Long> wantedBytes) {
  /** Tasks of one job on one host of which is told; the others count as the average. */
  public static final int MAX_TASKS = 512;

  /** Nothing particular. */
  public static final LocalPart NONE = new LocalPart(false, 0, Map.of());

  /** Copies the map. */
  public LocalPart(boolean onlyAsks, int storedKnown, @Nullable Map<String, Long> wantedBytes) {
    this.onlyAsks = onlyAsks;
    this.storedKnown = storedKnown;
    this.wantedBytes = wantedBytes == null ? Map.of() : Map.copyOf(wantedBytes);
  }
}
