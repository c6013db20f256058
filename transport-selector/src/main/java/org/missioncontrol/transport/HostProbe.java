/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Collection;
import java.util.List;
import javax.crypto.Cipher;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks what this host has, beyond congestion controls. */
final class HostProbe {
  private static final Logger LOG = LoggerFactory.getLogger(HostProbe.class);
  private static final Path SYSCTL = Path.of("/proc/sys/net");

  private HostProbe() {}

  /**
   * Probes.
   *
   * @param denied congestion controls that the kernel has and refuses to this process
   */
  static HostTraits probe(Collection<String> denied) {
    return new HostTraits(
        List.copyOf(denied),
        sysctl("ipv4/tcp_ecn"),
        interfaces(),
        sysctl("mptcp/enabled") > 0,
        tls());
  }

  private static int sysctl(String name) {
    try {
      return Integer.parseInt(Files.readString(SYSCTL.resolve(name)).strip());
    } catch (IOException | NumberFormatException e) {
      LOG.debug("{} of {} cannot be read: {}", name, SYSCTL, e.toString());
      return -1;
    }
  }

  private static List<String> interfaces() {
    try {
      return NetworkInterface.networkInterfaces()
          .filter(HostProbe::usable)
          .map(NetworkInterface::getName)
          .sorted()
          .toList();
    } catch (SocketException e) {
      LOG.warn("network interfaces cannot be listed: {}", e.toString());
      return List.of();
    }
  }

  private static boolean usable(NetworkInterface one) {
    try {
      return one.isUp() && !one.isLoopback() && one.inetAddresses().anyMatch(HostProbe::global);
    } catch (SocketException e) {
      return false;
    }
  }

  private static boolean global(InetAddress address) {
    return !address.isLoopbackAddress()
        && !address.isLinkLocalAddress()
        && !address.isAnyLocalAddress();
  }

  private static @Nullable String tls() {
    try {
      String cipher = Cipher.getInstance("AES/GCM/NoPadding").getProvider().getName();
      String protocol = SSLContext.getInstance("TLSv1.3").getProvider().getName();
      return cipher + " AES-GCM, " + protocol + " TLSv1.3";
    } catch (GeneralSecurityException e) {
      LOG.warn("this Java cannot encrypt map outputs on their way: {}", e.toString());
      return null;
    }
  }
}
