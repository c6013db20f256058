/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import java.nio.charset.StandardCharsets;
import javax.crypto.SecretKey;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.missioncontrol.scheduler.security.JobSecrets;

/** One known job. */
final class Secrets implements JobSecrets {
  static final byte[] PASSWORD = "the shuffle secret".getBytes(StandardCharsets.UTF_8);
  static final SecretKey KEY = JobTokenSecretManager.createSecretKey(PASSWORD);

  @Override
  public SecretKey secret(String job) {
    return job.equals(MapOutputs.JOB) ? KEY : null;
  }

  @Override
  public String user(String job) {
    return job.equals(MapOutputs.JOB) ? MapOutputs.USER : null;
  }
}
