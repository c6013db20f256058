/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

/**
 * One message that is due. Immutable.
 *
 * @param number tells two calls apart that are otherwise the same
 */
public record Call(Node node, Kind kind, long number) {
  /** What is said, and when the answer is wanted. */
  public enum Kind {
    /** What the transfer is; answered at once. */
    ANNOUNCE,
    /** The same, answered when there is news or the interval is over. */
    POLL,
    /**
     * What the transfer is now, to a node where a poll waits: that one is answered, and this waits
     * in its place.
     */
    UPDATE,
    /** That there is no transfer any more. */
    WITHDRAW
  }
}
