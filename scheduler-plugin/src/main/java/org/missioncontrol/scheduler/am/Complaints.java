/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;

/**
 * Logs each kind of trouble once, so that trouble that comes back at every look fills no log.
 * Thread-safe.
 */
final class Complaints {
  private static final int MAX_KINDS = 32;

  private final Logger log;
  private final Set<String> heard = ConcurrentHashMap.newKeySet();

  Complaints(Logger log) {
    this.log = log;
  }

  /** Logs {@code message} unless something of this kind was logged before. */
  void once(String kind, String message) {
    if (heard.size() < MAX_KINDS && heard.add(kind)) {
      log.warn("{} (said once)", message);
    }
  }

  /** Kinds that were logged. */
  int kinds() {
    return heard.size();
  }
}
