/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import org.jspecify.annotations.Nullable;
import org.missioncontrol.conf.AdminRules;
import org.missioncontrol.scheduler.control.HostView;
import org.missioncontrol.scheduler.control.StoredBytes;
import org.missioncontrol.scheduler.control.TransferDescriptor;
import org.missioncontrol.scheduler.control.TransferRegistry;
import org.missioncontrol.shuffle.store.PartitionTally;
import org.missioncontrol.shuffle.throttle.ThrottleController;
import org.missioncontrol.transport.HostTraits;

/**
 * Answers an ApplicationMaster with the books of the host's flows, and with the sizes of the job's
 * map outputs that lie here. Thread-safe.
 */
final class HostTransfers implements TransferRegistry {
  private final ThrottleController throttle;
  private final PartitionTally tally;

  HostTransfers(ThrottleController throttle, PartitionTally tally) {
    this.throttle = throttle;
    this.tally = tally;
  }

  @Override
  public HostView announce(TransferDescriptor transfer) {
    HostView view = transfer.local().onlyAsks() ? throttle.view() : throttle.announce(transfer);
    StoredBytes stored = tally.count(transfer.job(), transfer.user());
    return stored.outputs() > transfer.local().storedKnown() ? view.with(stored) : view;
  }

  @Override
  public void waits(String job, long forMs) {
    throttle.waits(job, forMs);
  }

  @Override
  public HostView view() {
    return throttle.view();
  }

  @Override
  public @Nullable HostTraits traits() {
    return throttle.traits();
  }

  @Override
  public @Nullable String ruleTransport(String job) {
    return throttle.ruleTransport(job);
  }

  /** The administrator's rules in force. */
  AdminRules rules() {
    return throttle.rules();
  }

  /** Queue of a job as its ApplicationMaster announced it; empty where it did not. */
  String queue(String job) {
    return throttle.queue(job);
  }

  /** From now on {@code listener} hears, on any thread, that the view may have changed. */
  void onChange(Runnable listener) {
    throttle.onChange(listener);
  }

  /** Forgets a job and closes its sessions. */
  void jobEnded(String job) {
    tally.forget(job);
    throttle.jobEnded(job);
  }

  @Override
  public HostView withdraw(String job) {
    tally.forget(job);
    return throttle.withdraw(job);
  }
}
