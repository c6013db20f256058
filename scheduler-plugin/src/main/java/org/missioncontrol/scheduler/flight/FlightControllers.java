/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.flight;

import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Makes flight controllers by the name of their transport. Immutable. */
public final class FlightControllers {
  /** What the kernel takes when nobody asks. */
  public static final String DEFAULT = "default";

  /** What each NodeManager chooses by its administrator's rules. */
  public static final String AUTO = "auto";

  /**
   * Congestion controls of the Linux kernel, net/ipv4/Kconfig, TCP with ECN, and Multipath TCP,
   * whose subflows are made by the path managers of both hosts' kernels.
   */
  private static final Set<String> KERNEL =
      Set.of(
          "bbr",
          "bic",
          "cdg",
          "cubic",
          "dctcp",
          "ecn",
          "highspeed",
          "htcp",
          "hybla",
          "illinois",
          "lp",
          "mptcp",
          "nv",
          "reno",
          "scalable",
          "vegas",
          "veno",
          "westwood",
          "yeah");

  private FlightControllers() {}

  /**
   * A controller for a transport.
   *
   * @param hostTransports congestion controls that hosts have beyond those of the Linux kernel
   * @param notices hears what an administrator should know, one sentence each
   * @throws IllegalArgumentException for an unknown name; lists the known
   */
  public static FlightController named(
      String transport, Collection<String> hostTransports, Consumer<String> notices) {
    if (transport.equals(DEFAULT)
        || transport.equals(AUTO)
        || KERNEL.contains(transport)
        || hostTransports.contains(transport)) {
      return new KernelFlight(transport, notices);
    }
    Set<String> known = new TreeSet<>(KERNEL);
    known.addAll(Set.of(AUTO, DEFAULT));
    known.addAll(hostTransports);
    throw new IllegalArgumentException(
        "no flight controller for transport " + transport + "; there are " + known);
  }

  /**
   * A controller for a name that hosts may know though we do not: those that lack it refuse it,
   * each for itself and visibly.
   */
  public static FlightController assumed(String transport, Consumer<String> notices) {
    return new KernelFlight(transport, notices);
  }
}
