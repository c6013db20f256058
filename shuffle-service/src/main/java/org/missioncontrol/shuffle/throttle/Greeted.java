/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import io.netty.channel.Channel;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.scheduler.security.JobSecrets;
import org.missioncontrol.shuffle.door.DoorMessage.Hello;

/** Who is at the door and not yet inside, and how many may be. Event-loop confined. */
final class Greeted {
  /** Sessions of one job; far above the reducers that a host runs for it. */
  static final int MAX_SESSIONS_OF_JOB = 512;

  private final JobSecrets secrets;
  private final LeaseDesk desk;
  private final FileDesk files;
  private final Refusals refusals;
  private final long timeoutMs;
  private final Map<String, DoorSession> tokens = new HashMap<>();
  private final Strangers strangers = new Strangers();
  private long sessions;

  /**
   * @param timeoutMs milliseconds until one must be inside
   */
  Greeted(JobSecrets secrets, LeaseDesk desk, FileDesk files, Refusals refusals, long timeoutMs) {
    this.secrets = secrets;
    this.desk = desk;
    this.files = files;
    this.refusals = refusals;
    this.timeoutMs = timeoutMs;
  }

  long timeoutMs() {
    return timeoutMs;
  }

  Strangers strangers() {
    return strangers;
  }

  @Nullable SecretKey secret(String job) {
    return secrets.secret(job);
  }

  /** Why a job may have no more sessions, or null. */
  @Nullable String refusal(String job) {
    long here = desk.books(b -> b.sessions(job).size());
    long coming = tokens.values().stream().filter(session -> session.job().equals(job)).count();
    return here + coming < MAX_SESSIONS_OF_JOB
        ? null
        : job + " has " + MAX_SESSIONS_OF_JOB + " sessions here already";
  }

  /** A session that waits for its second socket. */
  DoorSession welcome(Hello hello, Channel control, String token) {
    DoorSession session = new DoorSession(++sessions, hello, control, desk, files, refusals);
    tokens.put(token, session);
    control.closeFuture().addListener(done -> tokens.remove(token));
    return session;
  }

  /** The session of a token, once. */
  @Nullable DoorSession session(String token) {
    return tokens.remove(token);
  }
}
