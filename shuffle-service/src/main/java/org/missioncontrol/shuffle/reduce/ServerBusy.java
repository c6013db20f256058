/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.io.IOException;

/** The server has too many connections and named the time to come back (429). Immutable. */
final class ServerBusy extends IOException {
  private static final long serialVersionUID = 1L;

  private final long retryAfterMs;

  ServerBusy(long retryAfterMs) {
    super("too many connections at the map output server; it asks for " + retryAfterMs + " ms");
    this.retryAfterMs = retryAfterMs;
  }

  long retryAfterMs() {
    return retryAfterMs;
  }
}
