/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.policy;

/**
 * What a policy may know of one transfer. Immutable.
 *
 * @param arrival its place in the order of the jobs
 * @param priority {@code mapreduce.job.priority}: a name or a number
 * @param transferClass {@code shuffle} or {@code broadcast}
 * @param machines hosts that the job's reducers run on, as its ApplicationMaster says; at least 0
 * @param wantedWeight the job's own weight times the factors of its user and queue; positive
 * @param weightCap most that the job may ask for; positive, infinite without a rule
 * @param active whether it holds or waits for a flow of the host now
 */
public record TransferFacts(
    Arrival arrival,
    String priority,
    String transferClass,
    int machines,
    float wantedWeight,
    float weightCap,
    boolean active) {
  /** Class of a transfer whose every receiver needs all of it. */
  public static final String BROADCAST = "broadcast";

  /** Class of every other transfer. */
  public static final String SHUFFLE = "shuffle";

  /** Refuses weights that are none. */
  public TransferFacts {
    if (!(wantedWeight > 0) || !(weightCap > 0) || machines < 0) {
      throw new IllegalArgumentException(
          "wantedWeight " + wantedWeight + ", weightCap " + weightCap + ", machines " + machines);
    }
  }

  /** The same, active or not. */
  public TransferFacts withActive(boolean now) {
    return now == active
        ? this
        : new TransferFacts(
            arrival, priority, transferClass, machines, wantedWeight, weightCap, now);
  }

  boolean isBroadcast() {
    return transferClass.equals(BROADCAST);
  }

  float capped(float asked) {
    return Math.min(asked, weightCap);
  }
}
