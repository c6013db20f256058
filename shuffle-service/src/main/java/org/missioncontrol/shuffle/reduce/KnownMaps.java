/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.util.Arrays;
import org.apache.hadoop.mapred.TaskCompletionEvent;

/** Which maps have an output that counts, by the events so far. Owned by the poller. */
final class KnownMaps {
  private static final int NONE = -1;

  private final int[] attempts;
  private int known;

  /**
   * @param maps of the job
   */
  KnownMaps(int maps) {
    attempts = new int[maps];
    forget();
  }

  /** All events will be told again. */
  void forget() {
    Arrays.fill(attempts, NONE);
    known = 0;
  }

  /** A map has succeeded or needs no output, or the attempt that had succeeded counts no more. */
  void heard(TaskCompletionEvent event) {
    int map = event.getTaskAttemptId().getTaskID().getId();
    int attempt = event.getTaskAttemptId().getId();
    if (map >= attempts.length) {
      return;
    }
    switch (event.getTaskStatus()) {
      case SUCCEEDED, TIPFAILED -> set(map, attempt);
      case FAILED, KILLED, OBSOLETE -> {
        if (attempts[map] == attempt) {
          set(map, NONE);
        }
      }
    }
  }

  private void set(int map, int attempt) {
    known += (attempt == NONE ? 0 : 1) - (attempts[map] == NONE ? 0 : 1);
    attempts[map] = attempt;
  }

  boolean all() {
    return known == attempts.length;
  }
}
