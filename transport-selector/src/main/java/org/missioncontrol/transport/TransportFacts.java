/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport;

/**
 * What a transport is chosen by, of one job on one host towards one map host. Immutable.
 *
 * @param user who runs the job
 * @param queue of the job, without a leading {@code root.}; empty where it is not known
 * @param transferClass shuffle or broadcast; empty where it is not known
 * @param bytes of map outputs that are known of; -1 where nothing is known
 * @param flows most flows that the job's tasks have wanted on this host at once
 * @param segmentBytes mean bytes that one reducer fetches of one map output; -1 where not known
 * @param interfaces of this host that one connection to the map host can use
 * @param ecn whether marks have come over a connection to the map host, or been told of by it
 */
public record TransportFacts(
    String user,
    String queue,
    String transferClass,
    long bytes,
    int flows,
    long segmentBytes,
    int interfaces,
    boolean ecn) {}
