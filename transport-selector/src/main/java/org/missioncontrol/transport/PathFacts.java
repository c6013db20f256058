/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport;

/**
 * What connections to one host have shown. Immutable.
 *
 * @param host name or address, as it was connected to
 * @param connections that were looked at
 * @param ecn whether ECN was negotiated on one of them, and on none that asked later was refused
 * @param marks packets marked by the network, on all of them
 * @param marking whether the network has marked lately where it would drop, and both ends hear it;
 *     not where a connection was refused ECN lately
 * @param retransmits segments sent again, on all of them
 * @param rttMicros latest smoothed round-trip time, microseconds; 0 where none was measured
 * @param paths that the latest Multipath TCP connection used; 0 where none was looked at lately
 */
public record PathFacts(
    String host,
    long connections,
    boolean ecn,
    long marks,
    boolean marking,
    long retransmits,
    int rttMicros,
    int paths) {
  /**
   * Of this host's usable interfaces, those that a connection there can use: one if it was seen.
   */
  public int usable(int interfaces) {
    return paths == 1 ? Math.min(1, interfaces) : interfaces;
  }
}
