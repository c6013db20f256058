/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.missioncontrol.transport.MptcpLimits;

class PathManagerTest {
  private final List<String> heard = new ArrayList<>();

  @Test
  void limitsAreWhatTheCommandOfTheSystemSays() throws Exception {
    assumeTrue(
        Files.exists(Path.of("/proc/sys/net/mptcp/enabled"))
            && Files.isExecutable(Path.of("/usr/sbin/ip")),
        "needs MPTCP and ip(8)");
    Process ip = new ProcessBuilder("/usr/sbin/ip", "mptcp", "limits").start();
    String said = new String(ip.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    assumeTrue(ip.waitFor() == 0, "this ip(8) knows MPTCP");
    MptcpLimits limits = PathManager.read();
    assertThat(limits).isNotNull();
    assertThat(said)
        .contains("add_addr_accepted " + limits.addAddrAccepted())
        .contains("subflows " + limits.subflows());
  }

  @Test
  void aDumpEndsWithItsLastMessage() throws Exception {
    assertThat(PathManager.take(datagram(29, 7), this::hear)).isTrue();
    assertThat(heard).containsExactly("3 of 7");
    assertThat(PathManager.take(datagram(3, 0), this::hear)).isFalse();
    assertThat(heard).hasSize(1);
  }

  @Test
  void anErrorOfTheKernelIsNamedByItsNumber() {
    ByteBuffer error = datagram(2, 0);
    error.putInt(16, -1);
    assertThatThrownBy(() -> PathManager.take(error, this::hear))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("netlink error 1");
  }

  @Test
  void lengthsThatLieAreRefused() {
    for (int length : new int[] {0, 3, 1000}) {
      ByteBuffer message = datagram(29, 7);
      message.putShort(20, (short) length);
      assertThatThrownBy(() -> PathManager.take(message, this::hear))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("not as documented");
    }
    for (int length : new int[] {0, -1, 1000}) {
      ByteBuffer message = datagram(29, 7);
      message.putInt(0, length);
      assertThatThrownBy(() -> PathManager.take(message, this::hear))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("not as documented");
    }
  }

  private void hear(int type, ByteBuffer value) {
    heard.add(type + " of " + value.getInt());
  }

  /** One message with one attribute, a number of type 3. */
  private static ByteBuffer datagram(int type, int value) {
    return ByteBuffer.allocate(28)
        .order(ByteOrder.nativeOrder())
        .putInt(28)
        .putShort((short) type)
        .putShort((short) 0)
        .putInt(1)
        .putInt(0)
        .putInt(6)
        .putShort((short) 8)
        .putShort((short) 3)
        .putInt(value)
        .flip();
  }
}
