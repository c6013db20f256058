/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.control;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.missioncontrol.scheduler.security.JobSecrets;

/** Jobs of a test, all of user ann. */
public final class Secrets implements JobSecrets {
  private final Map<String, SecretKey> known = new ConcurrentHashMap<>();

  public Secrets with(String job, SecretKey secret) {
    known.put(job, secret);
    return this;
  }

  public void remove(String job) {
    known.remove(job);
  }

  public static SecretKey key(String text) {
    return new SecretKeySpec(text.getBytes(StandardCharsets.UTF_8), "HmacSHA1");
  }

  @Override
  public SecretKey secret(String job) {
    return known.get(job);
  }

  @Override
  public String user(String job) {
    return known.containsKey(job) ? "ann" : null;
  }
}
