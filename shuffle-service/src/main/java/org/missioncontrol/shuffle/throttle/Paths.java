/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.transport.Channels;
import org.missioncontrol.transport.PathFacts;
import org.missioncontrol.transport.PathTable;
import org.missioncontrol.transport.SocketFacts;

/**
 * What the leased connections tell of the paths to map hosts, a look for each when it is made, when
 * it comes back, and each second between. Changed by the event loop alone; its getters are
 * thread-safe.
 */
final class Paths {
  /** Map hosts that are remembered; beyond, those that were looked at longest ago are forgotten. */
  private static final int MOST_HOSTS = 1024;

  private final Channels channels;
  private final PathTable table = new PathTable(MOST_HOSTS);

  Paths(Channels channels) {
    this.channels = channels;
  }

  void look(LeasedConnection connection) {
    connection.teach(table, channels);
  }

  /** A connection has not the transport that it was made for. */
  void refused(LeasedConnection connection) {
    SocketFacts facts = connection.facts(channels);
    if (connection.transport().needsEcn() && facts != null && !facts.ecn()) {
      table.ecnRefused(connection.ask().host());
    }
  }

  /** What is known of the path to a map host, or null. */
  @Nullable PathFacts to(String mapHost) {
    return table.of(mapHost);
  }

  /** Every map host that is remembered. */
  List<PathFacts> all() {
    return table.all();
  }

  /** Of this host's usable interfaces, those that connections to a map host can use. */
  int usable(String mapHost, int interfaces) {
    PathFacts facts = table.of(mapHost);
    return facts == null ? interfaces : facts.usable(interfaces);
  }

  /** Whether the network has marked on the way to or from a map host. */
  boolean marking(String mapHost) {
    PathFacts facts = table.of(mapHost);
    return facts != null && facts.marking();
  }
}
