/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Links as the kernel describes them in /sys/class/net. */
class HostProbeTest {
  @TempDir private Path devices;

  @Test
  void anEthernetLinkLeadsOutAlsoWhenItIsAVethPairOrNotDescribed() throws Exception {
    link("eth0", "1", "0x1003", "INTERFACE=eth0");
    assertThat(HostProbe.leadsOut(devices, "eth0")).isTrue();
    assertThat(HostProbe.leadsOut(devices, "unknown")).isTrue();
  }

  @Test
  void abridgeLeadsOutWhereAPortOfItDoes() throws Exception {
    bridge("docker0", "veth12");
    bridge("br0", "veth34", "eth0");
    bridge("br1", "eth1.7");
    bridge("virbr0");
    link("veth12", "1", "0x1003", "");
    link("veth34", "1", "0x1003", "");
    link("eth1.7", "1", "0x1003", "DEVTYPE=vlan");
    Files.createDirectories(link("eth0", "1", "0x1003", "").resolve("device"));
    assertThat(HostProbe.leadsOut(devices, "docker0")).isFalse();
    assertThat(HostProbe.leadsOut(devices, "virbr0")).isFalse();
    assertThat(HostProbe.leadsOut(devices, "br0")).isTrue();
    assertThat(HostProbe.leadsOut(devices, "br1")).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "tun0, 65534, 0x1091, ''",
    "ppp0, 512, 0x1091, ''",
    "peer0, 1, 0x1013, ''",
    "wg0, 65534, 0x10081, DEVTYPE=wireguard",
    "flannel.1, 1, 0x1003, DEVTYPE=vxlan",
  })
  void aTunnelLeadsNowhereElse(String name, String type, String flags, String uevent)
      throws Exception {
    link(name, type, flags, uevent);
    assertThat(HostProbe.leadsOut(devices, name)).isFalse();
  }

  @Test
  void aTapOfAVirtualMachineLeadsNowhereElse() throws Exception {
    Files.writeString(link("tap0", "1", "0x1003", "").resolve("tun_flags"), "0x1002");
    assertThat(HostProbe.leadsOut(devices, "tap0")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"2, 0, 0, 1", "2, 1, 0, 3", "2, 0, 1, 3", "1, 1, 0, 2", "0, 2, 2, 1"})
  void aConnectionCanUseWhatThePathManagerOpens(
      int subflows, int accepted, int endpoints, int usable) {
    HostTraits traits =
        new HostTraits(
            List.of(),
            2,
            List.of("a", "b", "c", "d"),
            true,
            new MptcpLimits(subflows, accepted, endpoints, 9),
            null);
    assertThat(traits.usableInterfaces()).isEqualTo(usable);
  }

  private Path link(String name, String type, String flags, String uevent) throws IOException {
    Path link = Files.createDirectories(devices.resolve(name));
    Files.writeString(link.resolve("type"), type + "\n");
    Files.writeString(link.resolve("flags"), flags + "\n");
    Files.writeString(link.resolve("uevent"), uevent + "\nIFINDEX=2\n");
    return link;
  }

  private void bridge(String name, String... ports) throws IOException {
    Path bridge = link(name, "1", "0x1003", "DEVTYPE=bridge");
    Files.createDirectories(bridge.resolve("bridge"));
    for (String port : ports) {
      Files.createDirectories(bridge.resolve("brif").resolve(port));
    }
  }
}
