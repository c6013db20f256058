/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StrangersTest {
  private static final int MALLORY = 1001;
  private static final int ALICE = 1002;
  private static final int BOB = 1003;

  private final Strangers strangers = new Strangers();

  @Test
  void oneUserDoesNotKeepTheOthersOut() {
    for (int i = 0; i < Strangers.MAX_OF_USER; i++) {
      assertThat(strangers.arrived(MALLORY)).isNull();
    }
    for (int i = 0; i < 1000; i++) {
      assertThat(strangers.arrived(MALLORY)).contains("of user " + MALLORY);
    }
    assertThat(strangers.arrived(ALICE)).isNull();
    for (int i = 0; i < 1000; i++) {
      strangers.gone(MALLORY);
    }
    assertThat(strangers.arrived(MALLORY)).as("still full").isNotNull();
    strangers.gone(MALLORY);
    strangers.gone(MALLORY);
    assertThat(strangers.arrived(MALLORY)).isNull();
  }

  @Test
  void allTogetherAreBoundedAndPlacesComeBack() {
    for (int i = 0; i < Strangers.MAX_OF_USER; i++) {
      assertThat(strangers.arrived(MALLORY)).isNull();
      assertThat(strangers.arrived(ALICE)).isNull();
    }
    assertThat(strangers.arrived(BOB)).contains("" + Strangers.MAX);
    strangers.gone(BOB);
    strangers.gone(ALICE);
    assertThat(strangers.arrived(BOB)).isNull();
  }
}
