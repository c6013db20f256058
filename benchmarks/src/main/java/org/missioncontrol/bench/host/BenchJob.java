/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import javax.crypto.SecretKey;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** A job that no cluster knows: an id, a user and a shuffle secret by its number. Immutable. */
public record BenchJob(int number) {
  /** Who runs all of them. */
  public static final String USER = "bench";

  private static final long CLUSTER = 1_700_000_000_000L;

  /** As MapReduce writes it. */
  public String id() {
    return String.format("job_%d_%04d", CLUSTER, number);
  }

  /** As YARN writes it. */
  public ApplicationId application() {
    return ApplicationId.newInstance(CLUSTER, number);
  }

  /** The first attempt of one of its maps. */
  public String mapAttempt(int map) {
    return String.format("attempt_%d_%04d_m_%06d_0", CLUSTER, number, map);
  }

  /** An attempt of one of its reducers. */
  public String reduceAttempt(int reduce, int attempt) {
    return String.format("attempt_%d_%04d_r_%06d_%d", CLUSTER, number, reduce, attempt);
  }

  /** The shuffle secret. */
  public SecretKey secret() {
    return JobTokenSecretManager.createSecretKey(password());
  }

  /** What the job's ApplicationMaster hands to each NodeManager. */
  ByteBuffer serviceData() throws IOException {
    Token<JobTokenIdentifier> token =
        new Token<>(new byte[0], password(), new Text("mapreduce.job"), new Text(id()));
    DataOutputBuffer out = new DataOutputBuffer();
    token.write(out);
    return ByteBuffer.wrap(out.getData(), 0, out.getLength());
  }

  private byte[] password() {
    return ("secret of " + number).getBytes(StandardCharsets.UTF_8);
  }
}
