/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.conf.AdminRules;
import org.missioncontrol.scheduler.control.TransferDescriptor;
import org.missioncontrol.scheduler.policy.Arrival;
import org.missioncontrol.scheduler.policy.SharePolicies;
import org.missioncontrol.scheduler.policy.SharePolicy;
import org.missioncontrol.scheduler.policy.TransferFacts;
import org.missioncontrol.transport.TransportFacts;

/**
 * How a host's jobs weigh: the policy in force and the administrator's factors and caps. Immutable.
 *
 * @param users user of a job as the host knows it, or null
 */
record SharingRules(
    SharePolicy policy, AdminRules rules, Function<String, @Nullable String> users) {
  private static final float UNANNOUNCED_WEIGHT = 1;

  /**
   * The rules of the administrator's file over what the configuration says.
   *
   * @param configuredPolicy in force where the file names none
   */
  static SharingRules of(
      String configuredPolicy, AdminRules rules, Function<String, @Nullable String> users) {
    String policy = Objects.requireNonNullElse(rules.policy(), configuredPolicy);
    return new SharingRules(SharePolicies.named(policy), rules, users);
  }

  /** What the policy may know of a transfer without demand; one that is not announced weighs 1. */
  TransferFacts facts(String job, @Nullable TransferDescriptor announced) {
    String user = Objects.requireNonNullElse(users.apply(job), "");
    return announced == null
        ? facts(job, user, "", "", TransferFacts.SHUFFLE, 0, UNANNOUNCED_WEIGHT)
        : facts(
            job,
            user,
            announced.queue(),
            announced.priority(),
            announced.transferClass(),
            announced.machines(),
            announced.weight());
  }

  /** What the transport of a job's flows is chosen by; what is not announced is not known. */
  TransportFacts transportFacts(
      String job,
      @Nullable TransferDescriptor announced,
      int flows,
      int interfaces,
      boolean marking) {
    String user = Objects.requireNonNullElse(users.apply(job), "");
    return announced == null
        ? new TransportFacts(user, "", "", -1, flows, -1, interfaces, marking)
        : new TransportFacts(
            user,
            AdminRules.plain(announced.queue()),
            announced.transferClass(),
            announced.bytesKnown(),
            flows,
            Objects.requireNonNullElse(announced.segmentBytes(), -1L),
            interfaces,
            marking);
  }

  private TransferFacts facts(
      String job,
      String user,
      String queue,
      String priority,
      String transferClass,
      int machines,
      float weight) {
    return new TransferFacts(
        Arrival.of(job),
        priority,
        transferClass,
        machines,
        rules.wantedWeight(user, queue, weight),
        rules.weightCap(user, queue),
        false);
  }
}
