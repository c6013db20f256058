/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransportSelectorTest {
  private final TransportSelector selector =
      new TransportSelector(new HostCapabilities(true, "cubic", List.of("reno", "cubic")));

  @ParameterizedTest
  @ValueSource(strings = {"reno", "cubic", "default"})
  void honoursWhatTheHostHas(String name) {
    Transport asked = new Transport(name);
    assertThat(selector.choose(asked)).isEqualTo(new TransportChoice(asked, asked, null));
  }

  @Test
  void refusesTheRestNamingWhatThereIs() {
    TransportChoice choice = selector.choose(new Transport("dctcp"));
    assertThat(choice.used()).isEqualTo(Transport.DEFAULT);
    assertThat(choice.refusal()).contains("dctcp").contains("reno, cubic");
  }

  @Test
  void ecnIsToBeHadWhereDctcpAndAClassicAlgorithmAre() {
    assertThat(new HostCapabilities(true, "cubic", List.of("cubic", "dctcp")).transports())
        .containsExactly("cubic", "dctcp", "ecn");
    assertThat(new HostCapabilities(true, "bbr", List.of("bbr", "reno", "dctcp")).classic())
        .as("bbr does not react to marks")
        .isEqualTo("reno");
    assertThat(new HostCapabilities(true, "bbr", List.of("bbr", "dctcp")).transports())
        .containsExactly("bbr", "dctcp");
    assertThat(selector.choose(Transport.ECN).refusal()).contains("ecn").contains("reno, cubic");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ecn", "dctcp"})
  void whatNeedsEcnIsRefusedOnAConnectionWithoutIt(String name) {
    Transport asked = new Transport(name);
    TransportChoice choice = new TransportChoice(asked, asked, null);
    assertThat(choice.given(true, false)).isEqualTo(choice);
    assertThat(choice.given(false, true).used()).isEqualTo(Transport.DEFAULT);
    assertThat(choice.given(false, true).refusal()).contains(name).contains("ECN");
    TransportChoice reno = new TransportChoice(new Transport("reno"), new Transport("reno"), null);
    assertThat(reno.given(false, false)).isEqualTo(reno);
  }

  @Test
  void mptcpIsToBeHadWhereTheHostHasItAndRefusedOnAConnectionOfPlainTcp() {
    assertThat(selector.choose(Transport.MPTCP).refusal()).contains("mptcp").contains("reno");
    HostCapabilities host = new HostCapabilities(true, "cubic", List.of("cubic"), true);
    assertThat(host.transports()).containsExactly("cubic", "mptcp");
    TransportChoice choice = new TransportSelector(host).choose(Transport.MPTCP);
    assertThat(choice.used()).isEqualTo(Transport.MPTCP);
    assertThat(choice.given(false, true)).isEqualTo(choice);
    assertThat(choice.given(false, false).used()).isEqualTo(Transport.DEFAULT);
    assertThat(choice.given(false, false).refusal()).contains("mptcp").contains("plain TCP");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Reno", "a b", "sixteen-long-bye", "x;y"})
  void aTransportIsWhatAKernelModuleMayBeCalled(String name) {
    assertThatThrownBy(() -> new Transport(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"" + name + "\"");
  }
}
