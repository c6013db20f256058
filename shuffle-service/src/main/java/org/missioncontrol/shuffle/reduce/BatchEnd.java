/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.io.IOException;
import java.util.List;

/** How the fetching of a batch ended. Immutable. */
sealed interface BatchEnd {
  /** Outputs of the batch of which nothing has been told yet, in the order asked for. */
  List<MapAttempt> left();

  /** All were told of. */
  record Complete(boolean reusable) implements BatchEnd {
    @Override
    public List<MapAttempt> left() {
      return List.of();
    }
  }

  /** The server wants to be left alone. */
  record Busy(List<MapAttempt> left, long retryAfterMs) implements BatchEnd {}

  /** The merge has no memory to give. */
  record NoMemory(List<MapAttempt> left) implements BatchEnd {}

  /** The server had closed the idle connection, or the reducer is stopping: nobody's fault. */
  record Unasked(List<MapAttempt> left) implements BatchEnd {}

  record Broken(List<MapAttempt> left, FetchFault fault) implements BatchEnd {}

  /** What an exception of the connection means. */
  static BatchEnd of(IOException why, List<MapAttempt> left) {
    if (why instanceof ServerBusy busy) {
      return new Busy(left, busy.retryAfterMs());
    }
    return new Broken(
        left,
        why instanceof FetchFault fault
            ? fault
            : new FetchFault(FetchFault.Kind.CUT, null, "the connection broke: " + why, why));
  }
}
