/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.control;

import org.jspecify.annotations.Nullable;
import org.missioncontrol.transport.HostTraits;

/**
 * The NodeManager's side of the control messages: who may send has been checked before.
 * Thread-safe, does not block.
 */
public interface TransferRegistry {
  /** Takes the newest descriptor of a job; it expires unless announced again. */
  HostView announce(TransferDescriptor transfer);

  /**
   * A message of the job waits here, so that its ApplicationMaster is not silent: what it announced
   * counts as if it were announced again in {@code forMs} milliseconds; 0 when it waits no more.
   */
  void waits(String job, long forMs);

  /** The host as it is now. */
  HostView view();

  /** What the host has that transports are chosen by, or null. */
  default @Nullable HostTraits traits() {
    return null;
  }

  /** Transport that the administrator's rules order for a job, or null. */
  default @Nullable String ruleTransport(String job) {
    return null;
  }

  /** Forgets the descriptor of a job. */
  HostView withdraw(String job);
}
