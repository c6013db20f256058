/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import org.missioncontrol.conf.AdminRules;
import org.missioncontrol.scheduler.control.ControlProtocol;
import org.missioncontrol.scheduler.control.TransferDescriptor;

/** Transfers as an ApplicationMaster announces them. Immutable. */
final class Transfers {
  /** Every job weighs what it asks for. */
  static final SharingRules FAIR = SharingRules.of("fair", AdminRules.NONE, job -> "alice");

  private Transfers() {}

  static TransferDescriptor shuffle(String job, float weight) {
    return of(job, "default", "NORMAL", "shuffle", 1, weight);
  }

  static TransferDescriptor of(
      String job, String queue, String priority, String transferClass, int machines, float weight) {
    return new TransferDescriptor(
        ControlProtocol.VERSION,
        job,
        "alice",
        queue,
        priority,
        transferClass,
        0,
        machines,
        0,
        weight,
        "default");
  }
}
