/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.flight;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What the kernels of both hosts do by themselves once a socket is of that kind: TCP with a
 * congestion control by its name, or MPTCP, where a reducer then holds one connection to each map
 * host, whose subflows are as many as the hosts' limits allow. All is in the name. Says of each
 * host that lacks it, once, that its connections use another one. Owned by the Mission Controller.
 */
final class KernelFlight implements FlightController {
  private static final int MAX_NOTICES = 100;

  private final String name;
  private final Consumer<String> notices;
  private final Set<String> lacking = new HashSet<>();

  KernelFlight(String name, Consumer<String> notices) {
    this.name = name;
    this.notices = notices;
  }

  @Override
  public String transport() {
    return name;
  }

  @Override
  public void heard(String node, List<String> hostTransports) {
    if (!name.equals(FlightControllers.DEFAULT)
        && !name.equals(FlightControllers.AUTO)
        && !hostTransports.contains(name)
        && lacking.size() < MAX_NOTICES
        && lacking.add(node)) {
      notices.accept(
          node + " lacks " + name + " and uses its default transport; it has " + hostTransports);
    }
  }
}
