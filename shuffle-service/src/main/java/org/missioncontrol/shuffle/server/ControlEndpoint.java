/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import java.util.concurrent.CompletableFuture;
import org.missioncontrol.scheduler.control.ControlReply;
import org.missioncontrol.scheduler.control.ControlRequest;

/**
 * Answers every request whose path begins with {@link
 * org.missioncontrol.scheduler.control.ControlProtocol#ENTRANCE}. Thread-safe.
 */
@FunctionalInterface
public interface ControlEndpoint {
  /**
   * Checks one message and answers it, now or later; called on a control thread of the server,
   * never on an event loop. The answer is cancelled when the client has gone. An exception becomes
   * a 500 without its text.
   */
  CompletableFuture<ControlReply> handle(ControlRequest request);
}
