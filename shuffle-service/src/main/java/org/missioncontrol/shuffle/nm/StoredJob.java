/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.security.token.Token;

/**
 * A job that may shuffle. Immutable, but for the token, which nobody changes.
 *
 * @param id {@code job_<cluster timestamp>_<number>}
 * @param user that the job runs as
 * @param token whose password is the shuffle secret
 */
record StoredJob(String id, String user, Token<JobTokenIdentifier> token) {
  /** Leaves the token out: it holds the secret. */
  @Override
  public String toString() {
    return id + " of " + user;
  }
}
