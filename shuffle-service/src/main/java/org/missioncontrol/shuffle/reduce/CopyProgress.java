/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.util.Locale;
import org.apache.hadoop.mapred.TaskStatus;
import org.apache.hadoop.util.Progress;
import org.jspecify.annotations.Nullable;

/** The progress of copying, in the words that stock uses. Owned by the reduce thread. */
final class CopyProgress {
  private static final double MIB = 1024.0 * 1024.0;

  private final Progress phase;
  private final TaskStatus status;
  private final int maps;
  private long bytes;
  private long copyingMs;
  private long copyingSince;
  private int copying;

  CopyProgress(Progress phase, TaskStatus status, int maps) {
    this.phase = phase;
    this.status = status;
    this.maps = maps;
  }

  /** A batch begins; time counts while at least one is under way. */
  void begins(long now) {
    if (copying++ == 0) {
      copyingSince = now;
    }
  }

  void ends(long now) {
    if (--copying == 0) {
      copyingMs += now - copyingSince;
    }
  }

  /** Shows the aggregate, and the output just copied if there is one. */
  void show(int done, @Nullable String copied, long now) {
    long time = copyingMs + (copying > 0 ? now - copyingSince : 0);
    String rate = done + " of " + maps + " at " + mibPerSecond(bytes, time) + " MB/s)";
    phase.set((float) done / maps);
    status.setStateString(done + " / " + maps + " copied.");
    phase.setStatus(copied == null ? "copy(" + rate : copied + " Aggregated copy rate(" + rate);
  }

  /** Counts an output and says how fast it came. */
  String copied(MapAttempt map, long size, long tookMs) {
    bytes += size;
    return "copy task(" + map + " succeeded at " + mibPerSecond(size, tookMs) + " MB/s)";
  }

  private static String mibPerSecond(long size, long milliseconds) {
    return String.format(
        Locale.ROOT, "%.2f", (double) size / MIB * 1000.0 / (double) Math.max(1, milliseconds));
  }
}
