/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.control;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What goes back. Immutable.
 *
 * @param status of HTTP
 * @param body JSON, one sentence for a refusal, or what the headers say
 * @param signature value of {@link ControlProtocol#REPLY_SIGNATURE_HEADER}; null if unsigned
 * @param headers more of them, names in lower case
 */
public record ControlReply(
    int status, String body, @Nullable String signature, Map<String, String> headers) {
  /** Copies the map. */
  public ControlReply {
    headers = Map.copyOf(headers);
  }

  /** Without further headers. */
  public ControlReply(int status, String body, @Nullable String signature) {
    this(status, body, signature, Map.of());
  }
}
