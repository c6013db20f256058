/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What one connection has done so far. Written by its event loop alone; the status reads it from
 * any thread.
 */
final class ConnectionState {
  private final AtomicLong bytesSent = new AtomicLong();
  private volatile @Nullable String job;
  private volatile String transport = "default";
  private volatile @Nullable String refusal;
  private volatile boolean encrypted;
  private boolean replying;
  private boolean closing;

  @Nullable String job() {
    return job;
  }

  String transport() {
    return transport;
  }

  @Nullable String refusal() {
    return refusal;
  }

  long bytesSent() {
    return bytesSent.get();
  }

  void serves(String newJob) {
    job = newJob;
  }

  void asked(String newTransport, @Nullable String newRefusal) {
    transport = newTransport;
    refusal = newRefusal;
  }

  /** Whether what is sent goes through TLS. */
  boolean encrypted() {
    return encrypted;
  }

  void encrypts() {
    encrypted = true;
  }

  void sent(long bytes) {
    bytesSent.addAndGet(bytes);
  }

  /** Whether part of a reply is out, so that no other reply may begin. */
  boolean replying() {
    return replying;
  }

  void replying(boolean now) {
    replying = now;
  }

  /** Whether the last reply is out and the connection closes. */
  boolean closing() {
    return closing;
  }

  void closes() {
    closing = true;
  }
}
