/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport;

import java.util.regex.Pattern;

/**
 * How the bytes of a transfer travel: a congestion control by its kernel name (tcp(7),
 * TCP_CONGESTION), TCP with ECN, or Multipath TCP. Immutable.
 *
 * @param name as in /proc/sys/net/ipv4/tcp_available_congestion_control, or {@code default}, {@code
 *     auto}, {@code ecn} or {@code mptcp}
 */
public record Transport(String name) {
  /** TCP_CA_NAME_MAX is 16 with the terminating NUL. */
  private static final Pattern NAME = Pattern.compile("[a-z0-9_-]{1,15}");

  /** What the kernel takes when nobody asks. */
  public static final Transport DEFAULT = new Transport("default");

  /** What the rules choose; where nobody asks them, what the kernel takes. */
  public static final Transport AUTO = new Transport("auto");

  /** The host's classic congestion control with ECN negotiated (RFC 3168), host-wide or not. */
  public static final Transport ECN = new Transport("ecn");

  /** Data Center TCP (RFC 8257). */
  public static final Transport DCTCP = new Transport("dctcp");

  /** Multipath TCP (RFC 8684): one connection over all paths that the kernel's limits allow. */
  public static final Transport MPTCP = new Transport("mptcp");

  /** Refuses what no kernel module can be called. */
  public Transport {
    check(name);
  }

  /** Throws {@link IllegalArgumentException} for what no kernel module can be called. */
  public static void check(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("not the name of a transport: \"" + name + "\"");
    }
  }

  /** Whether the kernel's own choice is left alone on a socket. */
  public boolean isDefault() {
    return equals(DEFAULT) || equals(AUTO);
  }

  /** Whether a connection must have been made for it, so that none can change to it later. */
  public boolean madeForIt() {
    return needsEcn() || isMultipath();
  }

  /** Whether both ends must have negotiated ECN when the connection was made. */
  public boolean needsEcn() {
    return equals(ECN) || equals(DCTCP);
  }

  /** Whether a connection must have been made for it: no plain TCP socket becomes an MPTCP one. */
  public boolean isMultipath() {
    return equals(MPTCP);
  }

  /** Whether an open connection of this transport can get {@code next}. */
  public boolean canBecome(Transport next) {
    return isMultipath() == next.isMultipath();
  }
}
