/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.net;

/**
 * One direction of a cable. Immutable.
 *
 * @param mbit rate, megabits a second
 * @param queueMs length of the drop-tail queue before it, milliseconds at that rate
 */
public record Link(int mbit, int queueMs) {
  private static final int BITS_PER_BYTE = 8;
  private static final int BURST_BYTES = 64 << 10;

  /** Refuses what tc would. */
  public Link {
    if (mbit < 1 || queueMs < 1) {
      throw new IllegalArgumentException("not a link: " + mbit + " Mbit/s, " + queueMs + " ms");
    }
  }

  /** The rate in bytes a second, frames included. */
  public double bytesPerSecond() {
    return mbit * 1e6 / BITS_PER_BYTE;
  }

  /** Words for tc(8): a token bucket, whose limit is the queue and the bucket. */
  String discipline() {
    long queue = (long) (bytesPerSecond() * queueMs / 1_000);
    return "tbf rate " + mbit + "mbit burst " + BURST_BYTES + " limit " + (queue + BURST_BYTES);
  }
}
