/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import java.util.concurrent.CompletableFuture;
import org.missioncontrol.scheduler.control.ControlReply;
import org.missioncontrol.scheduler.control.ControlRequest;

/** Carries one message to a NodeManager and its answer back; does not block. Thread-safe. */
interface ControlExchange extends AutoCloseable {
  /**
   * The answer, or an IOException within the timeout.
   *
   * @param timeoutMs milliseconds for all of it
   */
  CompletableFuture<ControlReply> exchange(Node node, ControlRequest request, long timeoutMs);

  /** Gives up what is under way. Idempotent. */
  @Override
  void close();
}
