/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.sort;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.missioncontrol.bench.net.SwitchQueues;

class WatchTest {
  /** There are none, so that looking at them throws what nobody declares. */
  private static final SwitchQueues NO_QUEUES = null;

  @Test
  void aWatchThatDiedOfAnUndeclaredFaultGivesNoResult() {
    Watch watch = new Watch(NO_QUEUES, List.of(), 1, 1);
    watch.close();
    assertThatThrownBy(() -> watch.run(1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("watched")
        .hasCauseInstanceOf(NullPointerException.class);
  }
}
