/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Work of jobs that may take long: some of each job and some of all is under way, the rest waits,
 * and jobs take turns. Pure; owned by its user.
 */
final class JobQueues<T> {
  private final int mostOfOne;
  private final int mostOfAll;
  private final Map<String, Queued<T>> jobs = new LinkedHashMap<>();
  private int underWay;

  private static final class Queued<T> {
    private final Queue<T> waiting = new ArrayDeque<>();
    private int underWay;
  }

  /**
   * @param mostOfOne pieces of one job that are under way at once
   * @param mostOfAll pieces of all jobs
   */
  JobQueues(int mostOfOne, int mostOfAll) {
    this.mostOfOne = mostOfOne;
    this.mostOfAll = mostOfAll;
  }

  void add(String job, T work) {
    jobs.computeIfAbsent(job, key -> new Queued<>()).waiting.add(work);
  }

  /** The next piece, which is under way from now on; null if none may begin now. */
  @Nullable T next() {
    if (underWay >= mostOfAll) {
      return null;
    }
    Iterator<Map.Entry<String, Queued<T>>> turns = jobs.entrySet().iterator();
    while (turns.hasNext()) {
      Map.Entry<String, Queued<T>> turn = turns.next();
      Queued<T> queued = turn.getValue();
      if (queued.underWay < mostOfOne && !queued.waiting.isEmpty()) {
        turns.remove();
        jobs.put(turn.getKey(), queued);
        queued.underWay++;
        underWay++;
        return queued.waiting.remove();
      }
    }
    return null;
  }

  /** A piece of this job that was under way has ended. */
  void ended(String job) {
    Queued<T> queued = jobs.get(job);
    if (queued == null || queued.underWay == 0) {
      throw new IllegalStateException("nothing of " + job + " is under way");
    }
    queued.underWay--;
    underWay--;
    if (queued.underWay == 0 && queued.waiting.isEmpty()) {
      jobs.remove(job);
    }
  }

  /** Jobs with work, waiting or under way. */
  int jobs() {
    return jobs.size();
  }
}
