/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.flow;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks for the door and knocks, again and again if need be. Event-loop confined. */
final class DoorKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(DoorKeeper.class);
  private static final long FIRST_PAUSE_MS = 200;
  private static final long LAST_PAUSE_MS = 10_000;

  private final EventLoop loop;
  private final DoorFinder finder;
  private final Function<Path, DoorLink> links;
  private final Runnable noDoor;
  private @Nullable DoorLink link;
  private @Nullable ScheduledFuture<?> again;
  private long pauseMs = FIRST_PAUSE_MS;
  private boolean stopped;

  /**
   * @param links makes the link to a door, not opened yet; it reports what becomes of it
   * @param noDoor told each time that none is found
   */
  DoorKeeper(EventLoop loop, DoorFinder finder, Function<Path, DoorLink> links, Runnable noDoor) {
    this.loop = loop;
    this.finder = finder;
    this.links = links;
    this.noDoor = noDoor;
  }

  /** The link, ready or not; null if there is none. */
  @Nullable DoorLink link() {
    return link;
  }

  /** Looks for the door now. */
  void seek() {
    again = null;
    if (stopped || link != null) {
      return;
    }
    try {
      Path socket = finder.find();
      if (socket != null) {
        DoorLink opening = links.apply(socket);
        link = opening;
        opening.open();
        return;
      }
      noDoor.run();
    } catch (IOException e) {
      LOG.debug("cannot look for the door", e);
    }
    seekLater();
  }

  /** The link has been lost. */
  void lost() {
    link = null;
  }

  /** Looks for the door after a pause, each longer than the one before. */
  void seekLater() {
    if (!stopped && again == null) {
      again = loop.schedule(this::seek, pauseMs, TimeUnit.MILLISECONDS);
      pauseMs = Math.min(2 * pauseMs, LAST_PAUSE_MS);
    }
  }

  /** The door is open to us; the next search begins in haste again. */
  void found() {
    pauseMs = FIRST_PAUSE_MS;
  }

  /** Closes the link and seeks no more. */
  void stop() {
    stopped = true;
    if (again != null) {
      again.cancel(false);
    }
    if (link != null) {
      link.close();
    }
  }
}
