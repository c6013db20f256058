/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import java.util.concurrent.Semaphore;

/**
 * Memory for small outputs beyond what every reply may take: with few clients a reply holds many
 * small outputs, and with very many, or slow ones, memory stays bounded. Thread-safe.
 */
final class SmallBytes {
  /** What a share grows by, bytes. */
  static final int STEP = 64 << 10;

  private final Semaphore steps;

  /**
   * @param bytes for all replies together
   */
  SmallBytes(int bytes) {
    this.steps = new Semaphore(bytes / STEP);
  }

  /** An empty share; closed when its reply is out or has failed. */
  Share share() {
    return new Share(steps);
  }

  /** Bytes that nobody has. */
  int free() {
    return steps.availablePermits() * STEP;
  }

  /** What one reply has of it. Owned by one thread at a time. */
  static final class Share implements AutoCloseable {
    private final Semaphore steps;
    private int taken;

    private Share(Semaphore steps) {
      this.steps = steps;
    }

    int bytes() {
      return taken * STEP;
    }

    /** Takes another step if there is one. */
    boolean grow() {
      boolean more = steps.tryAcquire();
      taken += more ? 1 : 0;
      return more;
    }

    /** Idempotent. */
    @Override
    public void close() {
      steps.release(taken);
      taken = 0;
    }
  }
}
