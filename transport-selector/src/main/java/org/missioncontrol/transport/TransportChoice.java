/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport;

import org.jspecify.annotations.Nullable;

/**
 * What was asked, what is used, and why they differ if they do. Immutable.
 *
 * @param refusal null when the wish is honoured, else one sentence naming the wish and what the
 *     host has
 */
public record TransportChoice(Transport asked, Transport used, @Nullable String refusal) {
  /**
   * What remains of it on a connection.
   *
   * @param ecn whether ECN was negotiated there
   * @param multipath whether both ends speak MPTCP on it
   */
  public TransportChoice given(boolean ecn, boolean multipath) {
    if (used.needsEcn() && !ecn) {
      return refused(
          "transport "
              + asked.name()
              + " needs ECN, which was not negotiated when this connection was made (the other"
              + " end may lack dctcp, or a device on the path clears it)");
    }
    if (used.isMultipath() && !multipath) {
      return refused(
          "transport "
              + asked.name()
              + " needs MPTCP, but this connection is plain TCP (it was made for another transport,"
              + " the other end may lack MPTCP, or a device on the path clears it)");
    }
    return this;
  }

  private TransportChoice refused(String reason) {
    return new TransportChoice(asked, Transport.DEFAULT, reason);
  }
}
