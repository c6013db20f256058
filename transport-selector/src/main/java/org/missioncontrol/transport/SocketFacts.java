/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport;

/**
 * What the kernel says of one connection now (TCP_INFO, of all subflows where it is MPTCP).
 * Immutable.
 *
 * @param ecn whether ECN was negotiated
 * @param marks packets marked by the network (CE, RFC 3168) that either end has seen, of those that
 *     this kernel counts: sent ones since Linux 4.20, received ones since 6.18
 * @param retransmits segments sent again
 * @param rttMicros smoothed round-trip time, microseconds; 0 where none was measured
 * @param bytesReceived payload bytes since the handshake
 */
public record SocketFacts(
    boolean ecn, long marks, long retransmits, int rttMicros, long bytesReceived) {}
