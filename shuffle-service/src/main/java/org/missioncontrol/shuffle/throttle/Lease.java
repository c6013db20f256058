/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

/**
 * The right to one connection for one batch. Immutable.
 *
 * @param session that holds it
 * @param attempt whose session it is
 * @param request of the session that it answers
 * @param grantedNanos when it was granted or last renewed
 * @param movedNanos when bytes were last seen to have come on it, or it was granted or renewed
 */
record Lease(
    long id,
    long session,
    String job,
    String attempt,
    long request,
    long grantedNanos,
    long movedNanos) {
  static Lease granted(
      long id, long session, String job, String attempt, long request, long nowNanos) {
    return new Lease(id, session, job, attempt, request, nowNanos, nowNanos);
  }

  Lease renewed(long nowNanos) {
    return granted(id, session, job, attempt, request, nowNanos);
  }

  Lease moved(long nowNanos) {
    return new Lease(id, session, job, attempt, request, grantedNanos, nowNanos);
  }
}
