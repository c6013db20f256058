/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What this host can really do, probed once. Immutable.
 *
 * @param epoll whether sockets are Linux epoll sockets, which socket options and fd passing need
 * @param defaultCongestionControl what an untouched socket gets, or {@code unknown}
 * @param congestionControls what this process may set on a socket, each tried; empty without epoll
 * @param mptcp whether this process can make MPTCP sockets and the kernel tells enough of them
 */
public record HostCapabilities(
    boolean epoll,
    String defaultCongestionControl,
    List<String> congestionControls,
    boolean mptcp) {
  private static final List<String> CLASSIC = List.of("cubic", "reno");

  /** A host without MPTCP. */
  public HostCapabilities(
      boolean epoll, String defaultCongestionControl, List<String> congestionControls) {
    this(epoll, defaultCongestionControl, congestionControls, false);
  }

  /** Copies the list. */
  public HostCapabilities {
    congestionControls = List.copyOf(congestionControls);
  }

  /** Names of what can be asked for here beside {@code default}. */
  public List<String> transports() {
    boolean ecn = congestionControls.contains(Transport.DCTCP.name()) && classic() != null;
    Stream<String> beyond =
        Stream.of(ecn ? Transport.ECN : null, mptcp ? Transport.MPTCP : null)
            .filter(Objects::nonNull)
            .map(Transport::name);
    return Stream.concat(congestionControls.stream(), beyond).toList();
  }

  /** The congestion control for TCP with ECN: one that reacts to a mark as RFC 3168 says. */
  public @Nullable String classic() {
    if (CLASSIC.contains(defaultCongestionControl)) {
      return defaultCongestionControl;
    }
    return CLASSIC.stream().filter(congestionControls::contains).findFirst().orElse(null);
  }
}
