/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.conf.AdminRules;
import org.missioncontrol.scheduler.control.OrderCheck;
import org.missioncontrol.scheduler.control.TransferOrder;
import org.missioncontrol.scheduler.security.JobSecrets;
import org.missioncontrol.transport.HostCapabilities;
import org.missioncontrol.transport.Transport;
import org.missioncontrol.transport.TransportSelector;

/** Allows a transport that this host has and a weight within the administrator's cap. Immutable. */
final class AllowedOrders implements OrderCheck {
  private final TransportSelector transports;
  private final JobSecrets jobs;
  private final Function<String, String> queues;
  private final Supplier<AdminRules> rules;

  /**
   * @param queues queue of a job, empty where it is not announced
   */
  AllowedOrders(
      HostCapabilities host,
      JobSecrets jobs,
      Function<String, String> queues,
      Supplier<AdminRules> rules) {
    this.transports = new TransportSelector(host);
    this.jobs = jobs;
    this.queues = queues;
    this.rules = rules;
  }

  @Override
  public @Nullable String refusal(String job, TransferOrder order) {
    if (order.transport() != null) {
      String refusal = transports.choose(new Transport(order.transport())).refusal();
      if (refusal != null) {
        return refusal;
      }
    }
    String user = Objects.requireNonNullElse(jobs.user(job), "");
    String queue = queues.apply(job);
    float cap = rules.get().weightCap(user, queue);
    return order.weight() == null || order.weight() <= cap
        ? null
        : "weight "
            + order.weight()
            + " is above the cap of user "
            + user
            + (queue.isEmpty() ? "" : " in queue " + queue)
            + ", "
            + cap;
  }
}
