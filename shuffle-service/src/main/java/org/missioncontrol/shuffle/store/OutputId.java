/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.store;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which map output of which job and user. Immutable. */
record OutputId(String job, String user, String attempt) {
  private static final Pattern JOB = Pattern.compile("job_(\\d{1,18})_(\\d{1,9})");

  /** No separator and no dot, so that a name cannot climb out of the job's directory. */
  private static final Pattern ATTEMPT = Pattern.compile("[A-Za-z0-9_-]{1,255}");

  /** The record, its strings without their characters, and the entry of a map. */
  private static final int FIXED_BYTES = 240;

  /**
   * Directory below a NodeManager's local directory (YarnOutputFiles).
   *
   * @throws IOException if job or attempt are not named as Hadoop names them
   */
  String directory() throws IOException {
    if (!ATTEMPT.matcher(attempt).matches()) {
      throw new IOException("not the name of a map output: " + job + " \"" + attempt + "\"");
    }
    return directoryOf(job, user) + attempt + "/";
  }

  /**
   * Directory of all of a job's outputs below a NodeManager's local directory.
   *
   * @throws IOException if the job is not named as Hadoop names one
   */
  static String directoryOf(String job, String user) throws IOException {
    Matcher parts = JOB.matcher(job);
    if (!parts.matches()) {
      throw new IOException("not the name of a job: " + job);
    }
    return "usercache/%s/appcache/application_%s_%04d/output/"
        .formatted(user, parts.group(1), Integer.parseInt(parts.group(2)));
  }

  /** What it weighs among path names, characters. */
  int weight() {
    return job.length() + user.length() + attempt.length();
  }

  /** What it takes in memory as the key of a map, with the map's entry, bytes. */
  int bytes() {
    return weight() + FIXED_BYTES;
  }
}
