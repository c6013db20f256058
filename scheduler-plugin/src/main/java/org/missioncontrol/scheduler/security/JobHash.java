/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.security;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import javax.crypto.SecretKey;
import org.apache.hadoop.mapreduce.security.SecureShuffleUtils;
import org.jspecify.annotations.Nullable;

/**
 * The keyed hash of Hadoop's shuffle (SecureShuffleUtils, so with the algorithm that the cluster is
 * set to). Immutable.
 */
public final class JobHash {
  private JobHash() {}

  /** Base64 of the hash of {@code message}. */
  public static String of(String message, SecretKey secret) throws IOException {
    return SecureShuffleUtils.hashFromString(message, secret);
  }

  /** Compares in constant time; null never matches. */
  public static boolean matches(@Nullable String hash, String message, SecretKey secret)
      throws IOException {
    return hash != null
        && MessageDigest.isEqual(
            hash.getBytes(StandardCharsets.UTF_8),
            of(message, secret).getBytes(StandardCharsets.UTF_8));
  }
}
