/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A well-formed request for map outputs, nothing proven yet. Immutable.
 *
 * @param attempts whose outputs are sent, in this order
 * @param keepAlive whether this request wants the connection kept
 * @param extension whether the client speaks ours
 * @param transport that the client wants on our end of the socket, or null
 * @param encryptedOnly whether the client takes no byte in clear
 * @param uri as it was sent, which the hash covers
 * @param urlHash that proves the job's secret
 */
record ShuffleRequest(
    String job,
    List<String> attempts,
    ReduceRange reduces,
    boolean keepAlive,
    boolean extension,
    @Nullable String transport,
    boolean encryptedOnly,
    String uri,
    @Nullable String urlHash) {
  ShuffleRequest {
    attempts = List.copyOf(attempts);
  }
}
