/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import org.jspecify.annotations.Nullable;
import org.missioncontrol.transport.SocketFacts;

/**
 * One connection that a job's client holds, for the status. Immutable.
 *
 * @param job whose outputs it fetched last
 * @param peer address:port of the client
 * @param transport that its latest request asked for
 * @param congestionControl of this end, read back from the kernel now
 * @param subflows TCP connections that carry it now if it is an MPTCP connection, else 0
 * @param bytesSent bytes of map outputs sent on it
 * @param encrypted whether it goes through TLS
 * @param refusal why the asked transport is not used, or null
 * @param kernel what the kernel tells of it now, or null
 */
public record ServedConnection(
    String job,
    String peer,
    String transport,
    String congestionControl,
    int subflows,
    long bytesSent,
    boolean encrypted,
    @Nullable String refusal,
    @Nullable SocketFacts kernel) {}
