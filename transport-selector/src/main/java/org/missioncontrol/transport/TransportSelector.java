/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport;

/** Chooses a transport that the host really has; never silently another one. Immutable. */
public final class TransportSelector {
  private final HostCapabilities host;

  public TransportSelector(HostCapabilities host) {
    this.host = host;
  }

  /**
   * Honours {@code asked} or falls back to {@link Transport#DEFAULT} with a refusal that lists what
   * there is.
   */
  public TransportChoice choose(Transport asked) {
    if (asked.isDefault() || host.transports().contains(asked.name())) {
      return new TransportChoice(asked, asked, null);
    }
    return new TransportChoice(
        asked,
        Transport.DEFAULT,
        "transport "
            + asked.name()
            + " is not to be had here; this host has "
            + (host.transports().isEmpty()
                ? "no choice (no epoll sockets)"
                : String.join(", ", host.transports())));
  }
}
