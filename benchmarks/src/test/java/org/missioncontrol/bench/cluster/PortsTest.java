/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PortsTest {
  @Test
  void noPortIsGivenTwiceAndEachCanBeBound() throws Exception {
    try (Ports one = new Ports();
        Ports other = new Ports()) {
      Set<Integer> seen = new HashSet<>();
      for (int i = 0; i < 50; i++) {
        assertThat(seen.add(one.next())).isTrue();
        assertThat(seen.add(other.next())).isTrue();
      }
      for (int port : seen) {
        new ServerSocket(port).close();
      }
    }
  }
}
