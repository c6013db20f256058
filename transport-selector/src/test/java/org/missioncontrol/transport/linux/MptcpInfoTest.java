/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.missioncontrol.transport.SocketFacts;

/** What the kernel tells of subflows, made by hand: struct mptcp_subflow_data and tcp_info. */
class MptcpInfoTest {
  private final ByteBuffer told =
      ByteBuffer.allocate(Mptcp.SUBFLOW_DATA + MptcpInfo.MOST_SUBFLOWS * TcpInfo.BYTES)
          .order(ByteOrder.nativeOrder());

  private int size = TcpInfo.BYTES;

  @Test
  void aKernelThatTellsLessOfEachPathIsUnderstood() {
    size = 232;
    everyPathCounts();
  }

  @Test
  void everyPathCounts() {
    subflow(0, 8, 900, 1, 2);
    subflow(1, 0, 300, 4, 8);
    subflow(2, 0, 0, 0, 0);
    told.putInt(Mptcp.SUBFLOW_COUNT, 3).putInt(Mptcp.SUBFLOW_SIZE_USER, size);
    assertThat(MptcpInfo.sum(told, 77)).isEqualTo(new SocketFacts(true, 10, 5, 300, 77));
  }

  @Test
  void aConnectionWithoutSubflowsTellsNothing() {
    assertThat(MptcpInfo.sum(told, 77)).isNull();
  }

  private void subflow(int number, int options, int rtt, int retransmits, int marks) {
    int at = Mptcp.SUBFLOW_DATA + number * size;
    told.put(at + 5, (byte) options);
    told.putInt(at + 68, rtt).putInt(at + 100, retransmits).putInt(at + 196, marks);
  }
}
