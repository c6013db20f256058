/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.security;

import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/** The jobs that a NodeManager knows. Thread-safe. */
public interface JobSecrets {
  /**
   * The shuffle secret of a job ({@code job_<cluster timestamp>_<number>}), or null for an unknown
   * one.
   */
  @Nullable SecretKey secret(String job);

  /** The user that the job runs as, or null for an unknown job. */
  @Nullable String user(String job);
}
