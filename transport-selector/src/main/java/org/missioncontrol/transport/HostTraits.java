/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What this host has that transports are chosen by, probed once. Immutable.
 *
 * @param deniedCongestionControls that the kernel names and this process may not set on a socket
 * @param tcpEcn sysctl net.ipv4.tcp_ecn: 0 off, 1 asked for and accepted, 2 accepted, others (Linux
 *     6.18) with accurate feedback; -1 where it cannot be read
 * @param interfaces names of those that are up and lead out of the host, with an address that
 *     others can reach: no loopback, tunnel, or bridge of containers or virtual machines alone
 * @param mptcpEnabled sysctl net.mptcp.enabled
 * @param mptcpLimits of the kernel's path manager; null where it is not in charge or does not tell
 * @param tls what encrypts, null where nothing can: provider of AES-GCM and of TLS 1.3
 */
public record HostTraits(
    List<String> deniedCongestionControls,
    int tcpEcn,
    List<String> interfaces,
    boolean mptcpEnabled,
    @Nullable MptcpLimits mptcpLimits,
    @Nullable String tls) {
  /** Of a host of which nothing is known. */
  public static final HostTraits UNKNOWN =
      new HostTraits(List.of(), -1, List.of(), false, null, null);

  /**
   * Looks what this host has.
   *
   * @param denied congestion controls that the kernel has and refuses to this process
   * @param mptcpLimits as of {@link #mptcpLimits}
   */
  public static HostTraits probe(Collection<String> denied, @Nullable MptcpLimits mptcpLimits) {
    return HostProbe.probe(denied, mptcpLimits);
  }

  /** Copies the lists; one that is missing is empty. */
  public HostTraits(
      @Nullable List<String> deniedCongestionControls,
      int tcpEcn,
      @Nullable List<String> interfaces,
      boolean mptcpEnabled,
      @Nullable MptcpLimits mptcpLimits,
      @Nullable String tls) {
    this.deniedCongestionControls =
        deniedCongestionControls == null ? List.of() : List.copyOf(deniedCongestionControls);
    this.tcpEcn = tcpEcn;
    this.interfaces = interfaces == null ? List.of() : List.copyOf(interfaces);
    this.mptcpEnabled = mptcpEnabled;
    this.mptcpLimits = mptcpLimits;
    this.tls = tls;
  }

  /** Of the interfaces, those that one connection can use as far as this host is concerned. */
  public int usableInterfaces() {
    return mptcpLimits == null
        ? interfaces.size()
        : Math.min(interfaces.size(), mptcpLimits.paths());
  }

  /** For a line of a log. */
  public String describe() {
    return "interfaces "
        + interfaces
        + ", tcp_ecn "
        + tcpEcn
        + ", MPTCP "
        + (mptcpEnabled ? "on" : "off")
        + (mptcpLimits == null ? "" : " (" + mptcpLimits.describe() + ")")
        + ", encryption "
        + (tls == null ? "none" : tls);
  }
}
