/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.wire.MapOutputHeader;

/** Whom the plan holds responsible for a failure. Immutable. */
final class Blame {
  private Blame() {}

  /** Settles every output that a broken batch left. */
  static void settle(FetchPlan plan, MapServer server, BatchEnd.Broken end, long now) {
    MapAttempt culprit = culprit(end);
    List<MapAttempt> others = new ArrayList<>(end.left());
    others.remove(culprit);
    switch (end.fault().kind()) {
      case CONNECTION, HOST -> {
        plan.giveBack(server, end.left(), now);
        plan.hostFailed(server, now);
        return;
      }
      case BATCH -> {
        if (culprit != null) {
          plan.refused(server, culprit, now);
        }
      }
      case CUT, STALLED -> {
        if (culprit != null) {
          plan.lost(server, culprit, now);
        }
      }
      case BAD_ID, WRONG_MAP, WRONG_LENGTH, WRONG_REDUCE, BAD_DATA -> {
        if (culprit != null) {
          plan.unreadable(server, culprit, now);
        }
      }
    }
    if (culprit != null) {
      plan.giveBack(server, others, now);
    } else {
      plan.suspect(server, others, now);
    }
    if (end.fault().kind() != FetchFault.Kind.BATCH) {
      plan.hostFailed(server, now);
    }
  }

  /** The output to blame among those that are left; null when it may be any of several. */
  private static @Nullable MapAttempt culprit(BatchEnd.Broken end) {
    MapAttempt named = end.fault().culprit();
    if (named != null && end.left().contains(named)) {
      return named;
    }
    return named == null && end.left().size() == 1 ? end.left().get(0) : null;
  }

  /** The server refused one output by name. */
  static void refused(
      FetchPlan plan, MapServer server, MapAttempt map, MapOutputHeader.Failure why, long now) {
    switch (why) {
      case MISSING, BAD_INDEX, TRUNCATED -> plan.refused(server, map, now);
      case UNREADABLE -> plan.unreadable(server, map, now);
    }
  }
}
