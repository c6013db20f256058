/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.flight;

import java.util.List;
import java.util.Map;

/**
 * The control plane of one transfer's transport, in the job's ApplicationMaster. The Mission
 * Controller registers one for each transfer and replaces it while the transfer runs, when somebody
 * orders another transport. What it says is announced to the NodeManagers, which obey: leases from
 * then on have the new transport at both ends; connections that are kept change with their next
 * batch; bytes in flight are not touched.
 *
 * <p>All methods are called on the Mission Controller's thread, and none may block. To add a
 * transport with a control plane of its own (an encrypted one, with its keys), implement this, say
 * in {@link #parameters} what the NodeManagers need, and name it in {@link FlightControllers}.
 * Owned by the Mission Controller.
 */
public interface FlightController {
  /**
   * Name that NodeManagers know the transport by. Called for each announcement; the same for the
   * life of this controller.
   */
  String transport();

  /**
   * What NodeManagers need beyond the name. Called for each announcement; a map that differs from
   * the last one is announced to all of them at once.
   */
  default Map<String, String> parameters() {
    return Map.of();
  }

  /**
   * Called with each answer of a NodeManager.
   *
   * @param node {@code host:port}
   * @param hostTransports what its host can do
   */
  default void heard(String node, List<String> hostTransports) {}

  /** Called once, when another one takes its place or the transfer ends. */
  default void landed() {}
}
