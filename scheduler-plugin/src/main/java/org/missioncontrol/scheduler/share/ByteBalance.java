/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.share;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Corrects weights so that the bytes, and not only the flows, of jobs that share a host's budget
 * stand in the ratio of their weights, whatever TCP gives each flow.
 *
 * <p>Each job has a lag: the seconds by which it is behind its part of all the bytes that have
 * come, negative when ahead. It grows by {@code dt * (1 - got / due)} from sample to sample, is
 * forgotten with a time constant of {@value #MEMORY_S} s, and makes the factor {@code exp(}{@value
 * #GAIN}{@code * lag)}: an integrating controller (&Aring;str&ouml;m and Murray, <i>Feedback
 * Systems</i>, section 11.1) that acts on the logarithm of the weight, so that twice too much and
 * half too little count alike. Its crossover lies at {@value #GAIN} per second; it stays stable
 * while a changed share is in force within a quarter of a second.
 *
 * <p>Holds always: a factor lies between 1/{@value #MOST} and {@value #MOST}; it is 1 for a job
 * that has just come, that contends with nobody, or while no byte moves. Time and bytes come in.
 * Owned by one thread.
 */
public final class ByteBalance {
  /** The greatest correction. */
  public static final double MOST = 2;

  private static final double GAIN = 5;
  private static final double MEMORY_S = 10;
  private static final double LONGEST_STEP_S = 1;

  private final Map<String, Account> accounts = new HashMap<>();
  private long lastNanos;

  private record Account(long bytes, double lag) {}

  /**
   * One that could use more flows than it may hold. Immutable.
   *
   * @param weight under the policy, positive
   * @param bytes received so far; a number that falls counts as nothing received
   */
  public record Contender(String job, float weight, long bytes) {}

  /** Takes all jobs that contend now; the others are forgotten. Time as {@link System#nanoTime}. */
  public void sample(List<Contender> contenders, long nowNanos) {
    double dt =
        Math.min(LONGEST_STEP_S, (nowNanos - lastNanos) / (double) TimeUnit.SECONDS.toNanos(1));
    lastNanos = nowNanos;
    if (contenders.size() < 2) {
      accounts.clear();
      return;
    }
    double weights = 0;
    long moved = 0;
    for (Contender one : contenders) {
      if (accounts.containsKey(one.job())) {
        weights += one.weight();
        moved += got(one);
      }
    }
    Map<String, Account> next = new HashMap<>();
    for (Contender one : contenders) {
      Account before = accounts.get(one.job());
      double lag = before == null ? 0 : before.lag();
      if (before != null && moved > 0) {
        double due = moved * (one.weight() / weights);
        lag = bounded(lag * Math.exp(-dt / MEMORY_S) + dt * (1 - got(one) / due));
      }
      next.put(one.job(), new Account(one.bytes(), lag));
    }
    accounts.clear();
    accounts.putAll(next);
  }

  /** What a job's weight is to be multiplied by now. */
  public float factor(String job) {
    Account account = accounts.get(job);
    return account == null ? 1 : (float) Math.exp(GAIN * account.lag());
  }

  private long got(Contender one) {
    Account before = accounts.get(one.job());
    return before == null ? 0 : Math.max(0, one.bytes() - before.bytes());
  }

  private static double bounded(double lag) {
    double most = Math.log(MOST) / GAIN;
    return Math.max(-most, Math.min(most, lag));
  }
}
