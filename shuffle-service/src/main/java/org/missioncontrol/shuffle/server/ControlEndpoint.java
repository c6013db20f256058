/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import org.missioncontrol.scheduler.control.ControlReply;
import org.missioncontrol.scheduler.control.ControlRequest;

/**
 * Answers every request whose path begins with {@link
 * org.missioncontrol.scheduler.control.ControlProtocol#ENTRANCE}. Thread-safe.
 */
@FunctionalInterface
public interface ControlEndpoint {
  /**
   * Checks and answers one message; called on a control thread of the server, never on an event
   * loop. An exception becomes a 500 without its text.
   */
  ControlReply handle(ControlRequest request);
}
