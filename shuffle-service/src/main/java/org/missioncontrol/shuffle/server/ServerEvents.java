/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

/** Where the server counts. Thread-safe, does not block or throw; called on event loops. */
@FunctionalInterface
public interface ServerEvents {
  /** Adds {@code amount}, which is positive. */
  void count(ServerCounter counter, long amount);

  /** Bytes of a job's map outputs have gone out; they are also counted by {@link #count}. */
  default void sent(String job, long bytes) {}
}
