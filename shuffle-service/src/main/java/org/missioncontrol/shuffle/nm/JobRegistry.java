/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import java.io.IOException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import javax.crypto.SecretKey;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.scheduler.security.JobSecrets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The jobs that may shuffle on this NodeManager, in memory and in the store. Thread-safe. */
final class JobRegistry implements JobSecrets {
  private static final Logger LOG = LoggerFactory.getLogger(JobRegistry.class);

  private record Job(String user, SecretKey secret, boolean stored) {}

  private final ConcurrentMap<String, Job> jobs = new ConcurrentHashMap<>();
  private final @Nullable RecoveryStore store;

  /**
   * @param store null when the NodeManager does not recover
   */
  JobRegistry(@Nullable RecoveryStore store) {
    this.store = store;
  }

  /**
   * Takes over the stored jobs.
   *
   * @return how many
   */
  int recover() throws IOException {
    if (store == null) {
      return 0;
    }
    for (StoredJob job : store.jobs()) {
      try {
        jobs.put(job.id(), entry(job));
      } catch (IllegalArgumentException e) {
        LOG.warn("{} is not recovered, it can shuffle nothing: {}", job, e.getMessage());
      }
    }
    return jobs.size();
  }

  /**
   * Lets a job shuffle. To say it again changes nothing; another secret or user replaces the last.
   *
   * @return whether anything changed
   * @throws IllegalArgumentException if the token holds no secret
   * @throws IOException if the job may shuffle, but will be forgotten at the next restart
   */
  boolean add(StoredJob job) throws IOException {
    Job stored = entry(job);
    if (stored.equals(jobs.get(job.id()))) {
      return false;
    }
    if (store != null) {
      jobs.put(job.id(), new Job(stored.user(), stored.secret(), false));
      store.put(job);
    }
    jobs.put(job.id(), stored);
    return true;
  }

  /** Forgets a job; one that is not known is fine. */
  void remove(String job) throws IOException {
    jobs.remove(job);
    if (store != null) {
      store.remove(job);
    }
  }

  int size() {
    return jobs.size();
  }

  @Override
  public @Nullable SecretKey secret(String job) {
    Job entry = jobs.get(job);
    return entry == null ? null : entry.secret();
  }

  @Override
  public @Nullable String user(String job) {
    Job entry = jobs.get(job);
    return entry == null ? null : entry.user();
  }

  private static Job entry(StoredJob job) {
    return new Job(
        job.user(), JobTokenSecretManager.createSecretKey(job.token().getPassword()), true);
  }
}
