/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import javax.crypto.SecretKey;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.token.Token;
import org.jspecify.annotations.Nullable;

/** The secret that a job's map outputs are fetched with. Immutable. */
final class ShuffleSecret {
  private ShuffleSecret() {}

  /**
   * The shuffle secret, else the password of the job token as in Hadoop itself, else null: the job
   * may put either there while it is initialised.
   */
  static @Nullable SecretKey of(Credentials credentials) {
    byte[] secret = TokenCache.getShuffleSecretKey(credentials);
    if (secret == null) {
      Token<JobTokenIdentifier> token = TokenCache.getJobToken(credentials);
      secret = token == null ? null : token.getPassword();
    }
    return secret == null ? null : JobTokenSecretManager.createSecretKey(secret);
  }
}
