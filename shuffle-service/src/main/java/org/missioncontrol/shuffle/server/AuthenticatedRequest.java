/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import org.jspecify.annotations.Nullable;

/**
 * A request of someone who knows the job's secret. Immutable.
 *
 * @param user that the job runs as
 * @param replyHash that proves our knowledge of it
 * @param transport what was done about the wanted transport; null when none is wanted
 */
record AuthenticatedRequest(
    ShuffleRequest shuffle, String user, String replyHash, @Nullable TransportReport transport) {
  AuthenticatedRequest with(TransportReport report) {
    return new AuthenticatedRequest(shuffle, user, replyHash, report);
  }

  /**
   * What was done about a wanted transport. Immutable.
   *
   * @param used congestion control, read back from the kernel
   * @param refusal why it is not the wanted one, or null
   */
  record TransportReport(String used, @Nullable String refusal) {}
}
