/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import io.netty.handler.codec.http.HttpResponseStatus;

/**
 * A request that is answered with an error and a closed connection. Its message goes to the peer.
 * Immutable.
 */
final class Refusal extends Exception {
  private static final long serialVersionUID = 1;

  private final transient HttpResponseStatus status;

  Refusal(HttpResponseStatus status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  HttpResponseStatus status() {
    return status;
  }
}
