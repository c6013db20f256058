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
import java.util.Set;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks what this host has, beyond congestion controls. */
final class HostProbe {
  private static final Logger LOG = LoggerFactory.getLogger(HostProbe.class);
  private static final Path SYSCTL = Path.of("/proc/sys/net");
  private static final Path DEVICES = Path.of("/sys/class/net");

  /** ARPHRD_ETHER and ARPHRD_INFINIBAND of linux/if_arp.h; tunnels have types of their own. */
  private static final Set<String> LINKS = Set.of("1", "32");

  /** Tunnels that look like Ethernet, as their uevent calls them. */
  private static final Set<String> TUNNELS = Set.of("vxlan", "geneve");

  /** IFF_POINTOPOINT of linux/if.h. */
  private static final int POINT_TO_POINT = 0x10;

  private HostProbe() {}

  /**
   * Probes.
   *
   * @param denied congestion controls that the kernel has and refuses to this process
   * @param mptcpLimits of the kernel's path manager, or null
   */
  static HostTraits probe(Collection<String> denied, @Nullable MptcpLimits mptcpLimits) {
    return new HostTraits(
        List.copyOf(denied),
        sysctl("ipv4/tcp_ecn"),
        interfaces(),
        sysctl("mptcp/enabled") > 0,
        // 1: a daemon opens subflows as it likes, and these limits say nothing.
        sysctl("mptcp/pm_type") == 1 ? null : mptcpLimits,
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
      return one.isUp()
          && !one.isLoopback()
          && one.inetAddresses().anyMatch(HostProbe::global)
          && leadsOut(DEVICES, one.getName());
    } catch (SocketException e) {
      return false;
    }
  }

  /**
   * Whether a link goes to other hosts, as the kernel's description of it tells
   * (Documentation/ABI/testing/sysfs-class-net): no tunnel, and no bridge whose ports all belong to
   * containers or virtual machines. A veth pair may be a container's only link, so it counts.
   *
   * @param devices where the kernel describes links; one that it does not describe counts
   */
  static boolean leadsOut(Path devices, String name) {
    Path device = devices.resolve(name);
    if (!Files.isDirectory(device)) {
      return true;
    }
    if (Files.isDirectory(device.resolve("bridge"))) {
      String[] ports = device.resolve("brif").toFile().list();
      return ports != null
          && Stream.of(ports).map(devices::resolve).anyMatch(HostProbe::isPhysical);
    }
    return LINKS.contains(line(device.resolve("type")))
        && !Files.exists(device.resolve("tun_flags"))
        && !TUNNELS.contains(deviceType(device))
        && (flags(device) & POINT_TO_POINT) == 0;
  }

  /** Or made of such. */
  private static boolean isPhysical(Path device) {
    return Files.exists(device.resolve("device"))
        || Files.exists(device.resolve("bonding"))
        || deviceType(device).equals("vlan");
  }

  private static String deviceType(Path device) {
    return line(device.resolve("uevent"))
        .lines()
        .filter(line -> line.startsWith("DEVTYPE="))
        .map(line -> line.substring("DEVTYPE=".length()))
        .findFirst()
        .orElse("");
  }

  private static int flags(Path device) {
    try {
      return Integer.decode(line(device.resolve("flags")));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static String line(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      LOG.debug("{} cannot be read: {}", file, e.toString());
      return "";
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
