/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.store;

import java.nio.ByteBuffer;
import java.util.List;
import org.missioncontrol.shuffle.store.MapOutput.Segment;

/**
 * Some neighbouring partitions of a small map output, in memory. Owned by whoever asked for it.
 *
 * @param segments one for each partition, in order
 * @param bytes of all of them
 * @param wholeBytes of all partitions of the output
 */
public record SmallOutput(List<Segment> segments, ByteBuffer bytes, int wholeBytes) {
  /** Copies the list. */
  public SmallOutput {
    segments = List.copyOf(segments);
  }
}
