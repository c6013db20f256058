/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OwnAddressTest {
  private final AtomicInteger port = new AtomicInteger(13562);
  private final OwnAddress own = new OwnAddress(Set.of("node7.example"), port::get);

  @ParameterizedTest
  @ValueSource(strings = {"node7.example:13562", "localhost:13562", "127.0.0.1:13562"})
  void itsNamesAndAddressesAreItsOwn(String receiver) {
    assertThat(own).accepts(receiver);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "node7.example:13563",
        "node7.example",
        "node7.example:",
        ":13562",
        "",
        "192.0.2.1:13562",
        "no-such-host.invalid:13562"
      })
  void othersAreNot(String receiver) {
    assertThat(own).rejects(receiver);
  }

  @Test
  void nothingIsBeforeThePortIsBound() {
    port.set(0);
    assertThat(own).rejects("node7.example:13562");
  }
}
