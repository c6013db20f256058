/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.broadcast.CopyBeingMade;
import org.missioncontrol.shuffle.broadcast.HostCopies;
import org.missioncontrol.shuffle.broadcast.HostCopies.Claim;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which outputs of a broadcast this reducer fetches, and which it leaves to others of its job on
 * this host, whose copies it reads. One that has made no progress for {@value #STUCK_MS} ms is not
 * waited for; and where the copies' directory fails, every reducer fetches for itself. Owned by the
 * reduce thread.
 */
final class HostSharing implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HostSharing.class);

  /** Time without progress after which another's fetching is not waited for, milliseconds. */
  static final long STUCK_MS = 10_000;

  /** Least time between two looks into the directory, milliseconds. */
  static final long LOOK_MS = 50;

  private final HostCopies copies;
  private final @Nullable String ownHost;
  private final Map<MapAttempt, CopyBeingMade> claimed = new HashMap<>();
  private final Map<MapAttempt, Progress> others = new HashMap<>();
  private final Set<String> useless = new HashSet<>();
  private Set<String> complete = Set.of();
  private long lookedMs = Long.MIN_VALUE / 2;
  private boolean broken;

  private record Progress(long bytes, long sinceMs) {}

  /**
   * @param ownHost name of this host, whose own map outputs are not copied; null if unknown
   */
  HostSharing(HostCopies copies, @Nullable String ownHost) {
    this.copies = copies;
    this.ownHost = ownHost;
  }

  HostCopies copies() {
    return copies;
  }

  /** Whether this reducer is to fetch an output now; then it may have a copy to make of it. */
  boolean mayFetch(MapServer server, MapAttempt map, long nowMs) {
    if (broken || server.host().equals(ownHost) || useless.contains(map.id())) {
      return true;
    }
    try {
      Claim claim = copies.claim(map.id(), map.map());
      if (claim instanceof Claim.Mine mine) {
        claimed.put(map, mine.copy());
      }
      return !(claim instanceof Claim.Others) || isStuck(map, nowMs);
    } catch (IOException | UncheckedIOException e) {
      giveUp(e);
      return true;
    }
  }

  private boolean isStuck(MapAttempt map, long nowMs) {
    long bytes = complete.contains(map.id()) ? Long.MAX_VALUE : copies.progress(map.id());
    Progress before = others.get(map);
    if (before == null || before.bytes() != bytes) {
      others.put(map, new Progress(bytes, nowMs));
      return false;
    }
    return nowMs - before.sinceMs() >= STUCK_MS;
  }

  /** The copies that this reducer is to make of a batch. */
  Map<MapAttempt, CopyBeingMade> copiesOf(Collection<MapAttempt> batch) {
    Map<MapAttempt, CopyBeingMade> made = new HashMap<>();
    for (MapAttempt map : batch) {
      CopyBeingMade copy = claimed.get(map);
      if (copy != null) {
        made.put(map, copy);
      }
    }
    return made;
  }

  /** A batch has ended: what was not fetched is for others again. */
  void ended(Collection<MapAttempt> batch) {
    for (MapAttempt map : batch) {
      CopyBeingMade copy = claimed.remove(map);
      if (copy != null) {
        copy.close();
      }
    }
  }

  /** Attempts of whose outputs there is a copy to read. */
  Set<String> complete(long nowMs) {
    if (!broken && nowMs - lookedMs >= LOOK_MS) {
      lookedMs = nowMs;
      try {
        complete = copies.complete();
        complete.removeAll(useless);
      } catch (IOException e) {
        giveUp(e);
      }
    }
    return complete;
  }

  /** A copy could not be read: this reducer fetches the output. */
  void useless(MapAttempt map, Exception why) {
    LOG.warn("This host's copy of {} in {} is of no use, fetching it: {}", map, copies, why);
    useless.add(map.id());
    complete.remove(map.id());
  }

  private void giveUp(Exception why) {
    LOG.warn("Map outputs are not shared in {} any more: {}", copies, why);
    broken = true;
    complete = Set.of();
  }

  @Override
  public void close() {
    ended(new ArrayList<>(claimed.keySet()));
    try {
      copies.close();
    } catch (IOException e) {
      LOG.debug("Cannot close {}", copies, e);
    }
  }
}
