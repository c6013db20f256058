/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.scheduler.control.ControlException;
import org.missioncontrol.scheduler.control.HostAnswer;
import org.missioncontrol.scheduler.control.OrderCodec;
import org.missioncontrol.scheduler.control.SignedOrder;
import org.missioncontrol.scheduler.control.TransferDescriptor;
import org.missioncontrol.scheduler.control.TransferOrder;
import org.missioncontrol.scheduler.flight.FlightController;
import org.missioncontrol.scheduler.flight.FlightControllers;

/**
 * The flight controller of the job's transfer, and what decides which it is: an operator's order,
 * else the administrator's rules, else the job's key. Owned by the controller's thread.
 */
final class Flights {
  private final JobSettings settings;
  private final Consumer<String> info;
  private final Consumer<String> warn;
  private final Map<Node, String> rules = new HashMap<>();
  private final TreeSet<String> hostTransports = new TreeSet<>();
  private FlightController flight;
  private @Nullable SignedOrder signed;
  private TransferOrder order = TransferOrder.of(null, null);

  /** Registers the controller that the job's keys ask for. */
  Flights(JobSettings settings, Consumer<String> info, Consumer<String> warn) {
    this.settings = settings;
    this.info = info;
    this.warn = warn;
    this.flight = ofJob();
  }

  /** The order in force, to be carried to NodeManagers, or null. */
  @Nullable SignedOrder order() {
    return signed;
  }

  float weight() {
    return Objects.requireNonNullElse(order.weight(), settings.weight());
  }

  String transport() {
    return flight.transport();
  }

  /** What the NodeManagers are told of the job as it is now. */
  TransferDescriptor describe(JobLook look) {
    return look.describe(settings).withFlight(weight(), flight.transport(), flight.parameters());
  }

  /**
   * Takes what a NodeManager that runs the job says.
   *
   * @return whether there is news for the other NodeManagers
   */
  boolean heard(String job, Node node, HostAnswer answer) {
    hostTransports.addAll(answer.view().congestionControls());
    flight.heard(node.toString(), answer.view().congestionControls());
    if (answer.ruleTransport() == null) {
      rules.remove(node);
    } else {
      rules.put(node, answer.ruleTransport());
    }
    boolean newer = take(job, node, answer.order());
    return fly(job) || newer;
  }

  /** Forgets what a NodeManager said that no longer runs reducers of the job. */
  void left(Node node) {
    rules.remove(node);
  }

  private boolean take(String job, Node node, @Nullable SignedOrder newest) {
    if (newest == null || (signed != null && signed.sequence() >= newest.sequence())) {
      return false;
    }
    try {
      order = OrderCodec.decode(newest.body());
      signed = newest;
      info.accept("An operator orders for " + job + ", through " + node + ": " + order.describe());
      return true;
    } catch (ControlException e) {
      warn.accept("The order that " + node + " tells for " + job + " is unusable: " + e.sentence());
      return false;
    }
  }

  /** Replaces the controller if another transport is wanted now. */
  private boolean fly(String job) {
    String ruled = rule();
    String wanted =
        Objects.requireNonNullElse(
            order.transport(), Objects.requireNonNullElse(ruled, settings.transport()));
    if (wanted.equals(flight.transport())) {
      return false;
    }
    String by =
        order.transport() != null
            ? "the operator's order"
            : ruled != null ? "the administrator's rules" : "the job's own key";
    try {
      FlightController next =
          order.transport() == null && ruled == null
              ? ofJob()
              : FlightControllers.named(wanted, hostTransports, warn);
      info.accept(
          "The transport of "
              + job
              + " changes from "
              + flight.transport()
              + " to "
              + wanted
              + ", by "
              + by);
      flight.landed();
      flight = next;
      return true;
    } catch (IllegalArgumentException e) {
      warn.accept(
          "The transport of " + job + " stays " + flight.transport() + ": " + e.getMessage());
      return false;
    }
  }

  /** What most NodeManagers' rules say, while files are being changed one by one; null: nothing. */
  private @Nullable String rule() {
    return rules.values().stream()
        .collect(Collectors.groupingBy(transport -> transport, Collectors.counting()))
        .entrySet()
        .stream()
        .max(
            Comparator.comparingLong((Map.Entry<String, Long> votes) -> votes.getValue())
                .thenComparing(Map.Entry::getKey))
        .map(Map.Entry::getKey)
        .orElse(null);
  }

  private FlightController ofJob() {
    try {
      return FlightControllers.named(settings.transport(), hostTransports, warn);
    } catch (IllegalArgumentException e) {
      warn.accept(e.getMessage() + "; hosts that lack it will say so");
      return FlightControllers.assumed(settings.transport(), warn);
    }
  }

  /** The transfer has ended. */
  void landed() {
    flight.landed();
  }
}
