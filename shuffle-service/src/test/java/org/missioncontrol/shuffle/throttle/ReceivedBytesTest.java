/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.missioncontrol.shuffle.door.DoorMessage.Ask;
import org.missioncontrol.transport.TransportDecision;

class ReceivedBytesTest {
  private final Map<LeasedConnection, Long> kernel = new HashMap<>();
  private final Set<String> known = new HashSet<>(Set.of("a", "b"));
  private final ReceivedBytes received =
      new ReceivedBytes(connection -> kernel.getOrDefault(connection, -1L), known::contains);

  @Test
  void addsWhatIsOutToWhatCameBack() {
    LeasedConnection first = lent("a", 100);
    LeasedConnection second = lent("a", 20);
    lent("b", 3);
    assertThat(received.byJob()).containsEntry("a", 120L).containsEntry("b", 3L);

    kernel.put(first, 150L);
    received.returned(first);
    kernel.put(first, 0L);
    kernel.put(second, 30L);

    assertThat(received.byJob()).containsEntry("a", 180L);
  }

  @Test
  void neverFallsWhenTheKernelHasNoNumberAnyMore() {
    LeasedConnection connection = lent("a", 100);
    assertThat(received.byJob()).containsEntry("a", 100L);

    kernel.remove(connection);
    assertThat(received.byJob()).containsEntry("a", 100L);
    received.returned(connection);
    received.returned(connection);

    assertThat(received.byJob()).containsEntry("a", 100L);
  }

  @Test
  void forgetsAJobThatIsKnownNoMore() {
    received.returned(lent("a", 100));
    known.remove("a");

    assertThat(received.byJob()).isEmpty();
  }

  private LeasedConnection lent(String job, long bytes) {
    LeasedConnection connection =
        new LeasedConnection(
            Lease.granted(kernel.size(), 1, job, "attempt", 1, 0),
            new Ask(1, "host", 1, "default", 0, 0),
            TransportDecision.asked("default", "", ""));
    kernel.put(connection, bytes);
    received.lent(connection);
    return connection;
  }
}
