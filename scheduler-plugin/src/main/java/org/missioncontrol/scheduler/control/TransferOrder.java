/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.control;

import org.jspecify.annotations.Nullable;

/**
 * What an operator wants of one job's transfer, in the place of what the job's keys say. An order
 * replaces the one before it as a whole; one that says nothing gives the job its own keys back.
 * Immutable.
 *
 * @param version of the message, {@link #VERSION}
 * @param transport name of a congestion control or {@code default}; null: as the job's key says
 * @param weight positive, without unit; null: as the job's key says
 */
public record TransferOrder(int version, @Nullable String transport, @Nullable Float weight) {
  /** Of this message; another one is refused. */
  public static final int VERSION = 1;

  /** An order in this version's words. */
  public static TransferOrder of(@Nullable String transport, @Nullable Float weight) {
    return new TransferOrder(VERSION, transport, weight);
  }

  /** Whether the job's own keys shall be in force again. */
  public boolean saysNothing() {
    return transport == null && weight == null;
  }

  /** For a log line. */
  public String describe() {
    if (saysNothing()) {
      return "weight and transport as its keys say";
    }
    return (weight == null ? "" : "weight " + weight)
        + (weight == null || transport == null ? "" : ", ")
        + (transport == null ? "" : "transport " + transport);
  }
}
