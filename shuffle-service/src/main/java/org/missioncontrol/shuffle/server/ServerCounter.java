/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

/** What the server counts, each at the moment it happens. Immutable. */
public enum ServerCounter {
  CONNECTIONS_OPENED("Connections accepted, those refused by the limit included"),
  CONNECTIONS_CLOSED("Connections closed; opened minus closed is what is open"),
  CONNECTIONS_REFUSED("Connections refused with 429 because of the limit"),
  REQUESTS_REFUSED("Requests refused with another 4xx"),
  REQUESTS_FAILED("Requests answered with 5xx"),
  OUTPUTS_STARTED("Map outputs whose header was written"),
  OUTPUTS_SENT("Map outputs sent to their last byte"),
  OUTPUTS_FAILED("Map outputs that could not be sent, or not to their last byte"),
  OUTPUT_BYTES("Bytes of map outputs sent"),
  IDLE_TIMEOUTS("Connections closed because no request came in time"),
  STALL_TIMEOUTS("Connections closed because the client took no byte in time"),
  TRANSPORTS_APPLIED("Requests whose transport was set on the socket"),
  TRANSPORTS_REFUSED("Requests whose transport could not be set"),
  TLS_CONNECTIONS("Connections that began with TLS without certificates"),
  ENCRYPTED_BYTES("Bytes of map outputs sent through TLS, HTTPS included"),
  CLEAR_REQUESTS_REFUSED("Requests in clear for map outputs of a job that requires encryption"),
  CONTROL_MESSAGES("Control messages answered");

  private final String description;

  ServerCounter(String description) {
    this.description = description;
  }

  /** One line for an operator. */
  public String description() {
    return description;
  }
}
