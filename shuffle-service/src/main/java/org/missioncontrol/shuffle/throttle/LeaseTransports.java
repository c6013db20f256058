/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.missioncontrol.transport.Transport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transport of the next lease of a job: what its ApplicationMaster announced last, whatever the
 * task asks for; that counts on when the ApplicationMaster is silent, until it withdraws or the job
 * ends. Thread-safe.
 */
final class LeaseTransports {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseTransports.class);

  // Of jobs whose secret is known.
  private final Map<String, Transport> announced = new ConcurrentHashMap<>();

  void announce(String job, String name) {
    Transport next;
    try {
      next = new Transport(name);
    } catch (IllegalArgumentException e) {
      LOG.warn("The announced transport of {} is not used: {}", job, e.getMessage());
      return;
    }
    Transport before = announced.put(job, next);
    if (before != null && !before.equals(next)) {
      LOG.info("Leases of {} have transport {} now, no longer {}", job, name, before.name());
    }
  }

  void forget(String job) {
    announced.remove(job);
  }

  /** What a lease shall have whose task asks for {@code asked}. */
  Transport of(String job, Transport asked) {
    return announced.getOrDefault(job, asked);
  }
}
