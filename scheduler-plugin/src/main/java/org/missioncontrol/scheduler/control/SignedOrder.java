/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.control;

/**
 * A {@link TransferOrder} as the operator signed it. It is meant for every NodeManager of the job,
 * and so is bound to the job and to a moment, not to a receiver: the job's ApplicationMaster
 * carries it, word for word, to NodeManagers that have not seen it. Immutable.
 *
 * @param sequence microseconds since the epoch; a later order of a job has a greater one
 * @param body JSON of the order, the very text that was signed
 * @param signature by {@link OperatorSecret#sign} over {@link #signed}
 */
public record SignedOrder(String job, long sequence, String body, String signature) {
  /** What the signature covers. */
  String signed() {
    return signed(job, Long.toString(sequence), body);
  }

  /** What the signature of an order covers. */
  static String signed(String job, String sequence, String body) {
    return String.join("\n", "mission-control order", job, sequence, body);
  }

  /** What the signature of an answer covers. */
  static String signedReply(String job, String sequence, String body) {
    return String.join("\n", "mission-control order taken", job, sequence, body);
  }
}
