/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.cluster;

/** What runs in a container of a MapReduce job. */
public enum ContainerKind {
  /** The job's MRAppMaster. */
  APPLICATION_MASTER,
  /** A map task. */
  MAP,
  /** A reduce task. */
  REDUCE;

  boolean matches(String commandLine, String jobId) {
    String attempt = jobId.replace("job_", "attempt_");
    return switch (this) {
      case APPLICATION_MASTER -> commandLine.contains(".MRAppMaster");
      case MAP -> commandLine.contains(attempt + "_m_");
      case REDUCE -> commandLine.contains(attempt + "_r_");
    };
  }
}
