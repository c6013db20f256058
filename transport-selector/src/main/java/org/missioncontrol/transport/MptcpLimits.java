/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport;

/**
 * What the kernel's MPTCP path manager is set to (ip-mptcp(8)), which opens the further subflows of
 * each connection. Immutable.
 *
 * @param subflows that one connection may have beyond its first
 * @param addAddrAccepted addresses of the other end that one connection takes up
 * @param subflowEndpoints addresses of this host from which further subflows are opened
 * @param signalEndpoints addresses of this host that other ends are told of
 */
public record MptcpLimits(
    int subflows, int addAddrAccepted, int subflowEndpoints, int signalEndpoints) {
  /**
   * Paths that a connection from here can get at most: a further one goes from another address of
   * ours, or to another that the other end tells of.
   */
  int paths() {
    return subflowEndpoints > 0 || addAddrAccepted > 0 ? 1 + subflows : 1;
  }

  /** For people. */
  String describe() {
    return "subflows "
        + subflows
        + ", add_addr_accepted "
        + addAddrAccepted
        + ", endpoints "
        + subflowEndpoints
        + " subflow and "
        + signalEndpoints
        + " signal";
  }
}
