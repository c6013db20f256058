/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

/**
 * How many map outputs the next batch over a leased flow may have, so that the flow comes back to
 * the NodeManager about as often as the target says: a share that has moved is in force no sooner
 * than the batches under way end. Begins with one output and at most doubles from batch to batch,
 * since the first ones may have met an empty link. One for each flow: flows that share a link are
 * not alike, and the fast ones are heard of more often. Pure: time comes in. Owned by the reduce
 * thread.
 */
final class BatchPace {
  /** Outputs of a batch unless they are known to be small: as many as stock asks for. */
  private static final int USUAL = 20;

  /** Bytes of a batch of small outputs; a server of ours holds so much of a reply in memory. */
  private static final long SMALL_BATCH_BYTES = 192 << 10;

  private final double targetMs;
  private int last;
  private double msPerOutput;

  /**
   * @param targetMs time that a batch should take, milliseconds; 0 for batches as large as allowed
   */
  BatchPace(long targetMs) {
    this.targetMs = targetMs;
  }

  /**
   * Outputs that a batch may have, for small ones more than the usual number: their requests cost
   * more than they do.
   *
   * @param most limit, at least 1
   * @param bytes of all outputs that have come, 0 or more
   * @param outputs that have come, 0 or more
   */
  static int allowed(int most, long bytes, long outputs) {
    long small = outputs == 0 ? 0 : SMALL_BATCH_BYTES * outputs / Math.max(1, bytes);
    return (int) Math.min(most, Math.max(USUAL, small));
  }

  /** A batch of so many outputs, at least one, has taken so long. */
  void took(int outputs, long ms) {
    double one = (double) ms / outputs;
    msPerOutput = last == 0 ? one : (msPerOutput + one) / 2;
    last = outputs;
  }

  /** Outputs that come in so many milliseconds, 0 while none has come. */
  int outputsIn(int ms) {
    return last == 0 ? 0 : (int) (ms / msPerOutput);
  }

  /**
   * Outputs of the next batch.
   *
   * @param most limit, at least 1
   * @return from 1 to {@code most}
   */
  int outputs(int most) {
    if (targetMs == 0) {
      return most;
    }
    // Outputs that take no time give infinity, which the other limits bound.
    return (int) Math.max(1, Math.min(Math.min(most, 2 * last), targetMs / msPerOutput));
  }
}
