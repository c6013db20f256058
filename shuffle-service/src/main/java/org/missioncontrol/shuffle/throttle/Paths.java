/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
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
  private static final int MOST_HOSTS = 16 << 10;

  /** Of those, so many are shown to operators. */
  private static final int MOST_SHOWN = 1 << 10;

  /** That a path marks, or is the only one, holds so long; then it is to be seen again. */
  private static final long KEEP_MINUTES = 10;

  private final Channels channels;
  private final LongSupplier nanoClock;
  private final PathTable table = new PathTable(MOST_HOSTS, TimeUnit.MINUTES.toNanos(KEEP_MINUTES));

  Paths(Channels channels, LongSupplier nanoClock) {
    this.channels = channels;
    this.nanoClock = nanoClock;
  }

  void look(LeasedConnection connection) {
    connection.teach(table, channels, nanoClock.getAsLong());
  }

  /** As {@link #look}, once a second. */
  void tick(LeasedConnection connection) {
    connection.teachNowAndThen(table, channels, nanoClock.getAsLong());
  }

  /** A connection has not the transport that it was made for. */
  void refused(LeasedConnection connection) {
    SocketFacts facts = connection.facts(channels);
    if (connection.transport().needsEcn() && facts != null && !facts.ecn()) {
      table.ecnRefused(connection.ask().host(), nanoClock.getAsLong());
    }
    if (connection.transport().isMultipath() && connection.subflows(channels) == 0) {
      table.multipath(connection.ask().host(), 0, nanoClock.getAsLong());
    }
  }

  /** What is known of the path to a map host, or null. */
  @Nullable PathFacts to(String mapHost) {
    return table.of(mapHost, nanoClock.getAsLong());
  }

  /** The map hosts that were looked at last. */
  List<PathFacts> latest() {
    return table.latest(MOST_SHOWN, nanoClock.getAsLong());
  }

  /** Of this host's usable interfaces, those that connections to a map host can use. */
  int usable(String mapHost, int interfaces) {
    PathFacts facts = to(mapHost);
    return facts == null ? interfaces : facts.usable(interfaces);
  }

  /** Whether the network has marked lately on the way to or from a map host. */
  boolean marking(String mapHost) {
    PathFacts facts = to(mapHost);
    return facts != null && facts.marking();
  }
}
