/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.cluster;

/** Which shuffle service a NodeManager runs, and by which way it gets the class. */
public enum Handler {
  /** Hadoop's own. */
  STOCK,
  /** Ours, with the jar on the NodeManager's class path. */
  OURS_ON_CLASS_PATH,
  /** Ours, through {@code yarn.nodemanager.aux-services.mapreduce_shuffle.classpath}. */
  OURS_BY_CLASSPATH_KEY,
  /** Ours, through {@code yarn.nodemanager.aux-services.mapreduce_shuffle.remote-classpath}. */
  OURS_BY_REMOTE_CLASSPATH_KEY;

  /** Whether the service is ours. */
  public boolean isOurs() {
    return this != STOCK;
  }
}
