/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import org.missioncontrol.conf.FetchConfig;

/**
 * How long to wait after a failure and when it is told to the ApplicationMaster. Immutable; all
 * times in milliseconds.
 *
 * @param initial first penalty of a host
 * @param max longest penalty
 * @param recovery whether a host that went away is awaited for {@code recoveryTimeout}
 * @param recoveryInterval longest time between two attempts meanwhile
 * @param recoveryTimeout how long
 * @param hostFailures failures in a row after which a host's maps are reported, without recovery
 * @param mapFailures a map is reported at every multiple of this
 * @param notifyReadError whether bad data is reported at once
 * @param patience a reducer without progress for less is never given up for its failures
 */
record RetryPolicy(
    long initial,
    long max,
    boolean recovery,
    long recoveryInterval,
    long recoveryTimeout,
    int hostFailures,
    int mapFailures,
    boolean notifyReadError,
    long patience) {
  /**
   * Time between reports while the first few are due: the ApplicationMaster acts on three
   * (mapreduce.job.maxfetchfailures-notifications) and its heartbeats are seconds apart.
   */
  static final long REPORT_INTERVAL = 1000;

  /** Reports that follow each other so quickly. */
  static final int QUICK_REPORTS = 5;

  private static final double GROWTH = 1.5;

  static RetryPolicy from(FetchConfig config) {
    return new RetryPolicy(
        config.penaltyInitialMs(),
        config.retryDelayMaxMs(),
        config.retryEnabled(),
        config.retryIntervalMs(),
        config.retryTimeoutMs(),
        config.maxHostFailures(),
        config.maxFetchFailures(),
        config.notifyReadError(),
        config.connectTimeoutMs());
  }

  /** The wait after the {@code failures}th failure in a row. */
  long penalty(int failures) {
    return grown(initial, failures);
  }

  /** The wait after the {@code reports}th report of the same thing. */
  long afterReport(int reports) {
    return reports <= QUICK_REPORTS
        ? REPORT_INTERVAL
        : grown(REPORT_INTERVAL, reports - QUICK_REPORTS);
  }

  /** Whether a host that has failed so often and for so long counts as gone. */
  boolean gone(int failures, long failingFor) {
    return recovery ? failingFor >= recoveryTimeout : failures > hostFailures;
  }

  private long grown(long first, int times) {
    return (long) Math.min((double) max, first * Math.pow(GROWTH, times - 1));
  }
}
