/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.missioncontrol.conf.Keys;
import org.missioncontrol.scheduler.control.HostAnswer;
import org.missioncontrol.scheduler.control.HostView;
import org.missioncontrol.scheduler.control.OrderCodec;
import org.missioncontrol.scheduler.control.SignedOrder;
import org.missioncontrol.scheduler.control.TransferDescriptor;
import org.missioncontrol.scheduler.control.TransferOrder;
import org.missioncontrol.scheduler.flight.FlightControllers;
import org.missioncontrol.scheduler.graph.StageClass;

class FlightsTest {
  private static final String JOB = FakeApp.JOB;
  private static final Node A = new Node("a", 1);
  private static final Node B = new Node("b", 1);
  private static final Node C = new Node("c", 1);

  private final List<String> infos = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();

  @Test
  void theKeysOfTheJobAreInForceWithoutOrders() {
    Flights flights = flights("reno");
    assertThat(flights.heard(JOB, A, answer(null, null))).isFalse();
    assertThat(flights.weight()).isEqualTo(2);
    assertThat(flights.transport()).isEqualTo("reno");
    assertThat(infos).isEmpty();
  }

  @Test
  void anOrderBeatsTheKeysAndTheRulesAndIsToldOnce() throws Exception {
    Flights flights = flights("reno");
    SignedOrder order = order(7, TransferOrder.of("cubic", 5f));
    assertThat(flights.heard(JOB, A, answer(order, "bbr"))).isTrue();
    assertThat(flights.heard(JOB, B, answer(order, "bbr"))).isFalse();
    assertThat(flights.transport()).isEqualTo("cubic");
    assertThat(flights.weight()).isEqualTo(5);
    assertThat(flights.order()).isEqualTo(order);
    assertThat(infos)
        .containsExactly(
            "An operator orders for " + JOB + ", through a:1: weight 5.0, transport cubic",
            "The transport of " + JOB + " changes from reno to cubic, by the operator's order");
  }

  @Test
  void anOlderOrderIsOfNoInterest() throws Exception {
    Flights flights = flights("reno");
    flights.heard(JOB, A, answer(order(7, TransferOrder.of("cubic", null)), null));
    assertThat(flights.heard(JOB, B, answer(order(6, TransferOrder.of("bbr", 9f)), null)))
        .isFalse();
    assertThat(flights.transport()).isEqualTo("cubic");
    assertThat(flights.weight()).isEqualTo(2);
  }

  @Test
  void anOrderThatSaysNothingGivesTheJobItsKeysBack() throws Exception {
    Flights flights = flights("reno");
    flights.heard(JOB, A, answer(order(7, TransferOrder.of("cubic", 9f)), null));
    assertThat(flights.heard(JOB, A, answer(order(8, TransferOrder.of(null, null)), null)))
        .isTrue();
    assertThat(flights.transport()).isEqualTo("reno");
    assertThat(flights.weight()).isEqualTo(2);
    assertThat(infos).last().asString().contains("from cubic to reno", "the job's own key");
  }

  @Test
  void theRulesOfMostHostsAreFollowedAndTheirEndToo() {
    Flights flights = flights("reno");
    flights.heard(JOB, A, answer(null, "bbr"));
    assertThat(flights.transport()).isEqualTo("bbr");
    flights.heard(JOB, B, answer(null, "bbr"));
    flights.heard(JOB, C, answer(null, "cubic"));
    assertThat(flights.transport()).isEqualTo("bbr");
    flights.heard(JOB, C, answer(null, null));
    flights.left(A);
    flights.heard(JOB, B, answer(null, null));
    assertThat(flights.transport()).isEqualTo("reno");
  }

  @Test
  void theDescriptorCarriesWhatTheFlightSays() throws Exception {
    Flights flights = flights("reno");
    flights.heard(JOB, A, answer(order(7, TransferOrder.of("cubic", 9f)), null));
    TransferDescriptor told =
        flights.describe(
            new JobLook(
                JOB,
                false,
                "ann",
                "q",
                17,
                Map.of(A, Map.of()),
                Map.of(A, 3),
                99,
                2,
                StageClass.SHUFFLE));
    assertThat(told.transport()).isEqualTo("cubic");
    assertThat(told.weight()).isEqualTo(9);
    assertThat(told.parameters()).isEmpty();
    assertThat(told.machines()).isEqualTo(1);
    assertThat(told.segmentBytes()).isEqualTo(16);
    assertThat(told.withoutProgress().machines()).isZero();
  }

  @Test
  void aHostThatLacksTheTransportIsNamedOnce() {
    Flights flights = flights("dctcp");
    flights.heard(JOB, A, answer(null, null));
    flights.heard(JOB, A, answer(null, null));
    assertThat(warnings)
        .containsExactly(
            "a:1 lacks dctcp and uses its default transport; it has [bbr, cubic, reno]");
  }

  @Test
  void anUnknownNameIsRefusedWithTheKnownOnesAndTheKeyOfTheJobIsLeftToTheHosts() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FlightControllers.named("carrier-pigeon", List.of("bbr3"), any -> {}))
        .withMessageContainingAll("carrier-pigeon", "bbr3", "cubic", "default");
    Flights flights = flights("no_such_cc");
    assertThat(flights.transport()).isEqualTo("no_such_cc");
    assertThat(warnings).singleElement().asString().contains("no_such_cc", "cubic");
  }

  private Flights flights(String transport) {
    Configuration conf = new Configuration(false);
    conf.set(Keys.Transfer.WEIGHT_KEY, "2");
    conf.set(Keys.Transfer.TRANSPORT_KEY, transport);
    return new Flights(JobSettings.from(conf, warnings::add), infos::add, warnings::add);
  }

  private static SignedOrder order(long sequence, TransferOrder order) throws Exception {
    return new SignedOrder(JOB, sequence, OrderCodec.encode(order), "signature");
  }

  private static HostAnswer answer(SignedOrder order, String ruleTransport) {
    HostView view = new HostView(2, "fair", 20, 0, List.of(), List.of("bbr", "cubic", "reno"));
    return new HostAnswer(2, "state", view, order, ruleTransport);
  }
}
