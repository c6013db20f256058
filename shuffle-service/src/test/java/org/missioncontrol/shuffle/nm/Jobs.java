/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Jobs for tests. */
final class Jobs {
  static final ApplicationId APP = ApplicationId.newInstance(1111111111111L, 1);
  static final String ID = "job_1111111111111_0001";
  static final String USER = "alice";
  static final String SECRET = "the shuffle secret";

  private Jobs() {}

  static StoredJob alice() {
    return new StoredJob(ID, USER, token(SECRET));
  }

  static Token<JobTokenIdentifier> token(String password) {
    return new Token<>(
        "identifier".getBytes(UTF_8),
        password.getBytes(UTF_8),
        new Text("mapreduce.job"),
        new Text("service"));
  }
}
