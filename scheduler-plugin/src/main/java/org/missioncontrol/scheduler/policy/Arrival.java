/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.policy;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A job's place in the order of arrival: that of the ResourceManager, which numbers the jobs as it
 * gets them, and begins anew with a later start time. Unlike a submit time that an
 * ApplicationMaster tells, a job cannot lie about it. What is no job id comes last. Immutable.
 *
 * @param started when the ResourceManager was started, milliseconds since the epoch
 * @param number of the job since then
 * @param job id
 */
public record Arrival(long started, long number, String job) implements Comparable<Arrival> {
  private static final Pattern JOB = Pattern.compile("job_([0-9]{1,18})_([0-9]{1,18})");
  private static final Comparator<Arrival> EARLIEST_FIRST =
      Comparator.comparingLong(Arrival::started)
          .thenComparingLong(Arrival::number)
          .thenComparing(Arrival::job);

  /** Reads it from the id of a job. */
  public static Arrival of(String job) {
    Matcher id = JOB.matcher(job);
    return id.matches()
        ? new Arrival(Long.parseLong(id.group(1)), Long.parseLong(id.group(2)), job)
        : new Arrival(Long.MAX_VALUE, Long.MAX_VALUE, job);
  }

  @Override
  public int compareTo(Arrival other) {
    return EARLIEST_FIRST.compare(this, other);
  }
}
