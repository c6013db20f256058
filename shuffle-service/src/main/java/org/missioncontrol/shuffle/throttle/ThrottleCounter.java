/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

/** What the throttle controller counts, each at the moment it happens. Immutable. */
public enum ThrottleCounter {
  SESSIONS_OPENED("Task attempts that came through the door"),
  SESSIONS_CLOSED("Task attempts that left; opened minus closed is who is here"),
  SESSIONS_REFUSED("Connections to the door that were refused or thrown out"),
  REQUESTS("Flows that task attempts asked for"),
  LEASES_GRANTED("Leases granted"),
  LEASES_RENEWED("Leases renewed for another batch"),
  RENEWALS_DENIED("Leases not renewed because the share has gone elsewhere"),
  LEASES_RETURNED("Leases that came back, for whatever reason; granted minus returned is in use"),
  LEASES_CUT("Leases returned because nothing moved on them; their connections were cut"),
  CONNECTS_FAILED("Leases returned because the map host could not be connected"),
  TRANSPORTS_REFUSED("Connections that have another transport than was asked"),
  RULES_PASSED_OVER(
      "Choices of a transport that had to pass over a rule for want of its transport"),
  FILES_OPENED("Map outputs opened for task attempts of this host that read them as files"),
  FILES_PASSED("Map outputs passed to them"),
  FILE_BYTES_PASSED("Bytes of the map outputs passed to them"),
  FILES_REFUSED("Map outputs that could not be opened for them");

  private final String description;

  ThrottleCounter(String description) {
    this.description = description;
  }

  /** One line for an operator. */
  public String description() {
    return description;
  }
}
