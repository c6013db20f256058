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

  /** Least time between two outputs that are shown, milliseconds. */
  private static final long SHOW_MS = 100;

  private final Progress phase;
  private final TaskStatus status;
  private final int maps;
  private long bytes;
  private long copyingMs;
  private long copyingSince;
  private int copying;
  private long shownMs = Long.MIN_VALUE / 2;

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

  /** Counts an output just copied; shows it if none was shown for a while, or it is the last. */
  void copied(MapAttempt map, long size, long tookMs, int done, long now) {
    bytes += size;
    if (now - shownMs >= SHOW_MS || done == maps) {
      String rate = mibPerSecond(size, tookMs);
      show(done, "copy task(" + map + " succeeded at " + rate + " MB/s)", now);
    }
  }

  /** Shows the aggregate, and the output just copied if there is one. */
  void show(int done, @Nullable String copied, long now) {
    shownMs = now;
    long time = copyingMs + (copying > 0 ? now - copyingSince : 0);
    String rate = done + " of " + maps + " at " + mibPerSecond(bytes, time) + " MB/s)";
    phase.set((float) done / maps);
    status.setStateString(done + " / " + maps + " copied.");
    phase.setStatus(copied == null ? "copy(" + rate : copied + " Aggregated copy rate(" + rate);
  }

  private static String mibPerSecond(long size, long milliseconds) {
    return String.format(
        Locale.ROOT, "%.2f", (double) size / MIB * 1000.0 / (double) Math.max(1, milliseconds));
  }
}
