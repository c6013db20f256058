/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.control;

import org.jspecify.annotations.Nullable;

/** Paths and header names of the control messages, which travel on the shuffle port. Immutable. */
public final class ControlProtocol {
  /** Of every message; another one is refused with 400. */
  public static final int VERSION = 2;

  /** Every path that begins so is ours; all else on the port is the stock shuffle protocol. */
  public static final String ENTRANCE = "/missionControl";

  /** Every message has a path below this one; the page for operators is this one. */
  public static final String ROOT = "/missionControl/v1/";

  /** PUT an {@link Announcement}, get a {@link HostAnswer}; DELETE forgets the transfer. */
  public static final String TRANSFER_PATH = ROOT + "transfer";

  /** GET: the status as JSON, for operators; gives no secret away. */
  public static final String STATUS_PATH = ROOT + "status";

  /**
   * PUT a {@link TransferOrder} to this path followed by the job's id, signed by the operator as
   * {@link SignedOrder} says.
   */
  public static final String ORDERS_PATH = ROOT + "orders/";

  /** {@code host:port} of the NodeManager that a message of a job is for; no other takes it. */
  public static final String RECEIVER_HEADER = "mission-control-receiver";

  public static final String JOB_HEADER = "mission-control-job";

  /**
   * Grows with each message of a job; a NodeManager refuses one that is not greater than the last
   * (replay).
   */
  public static final String SEQUENCE_HEADER = "mission-control-sequence";

  /** Hash with the job's secret over {@link #signedRequest}. */
  public static final String SIGNATURE_HEADER = "mission-control-signature";

  /** Of the reply: hash with the job's secret over sequence and body, joined by a newline. */
  public static final String REPLY_SIGNATURE_HEADER = "mission-control-reply-signature";

  /** Longest time that an answer is held back, milliseconds. */
  public static final long MAX_WAIT_MS = 60_000;

  /** Longest body of a message, bytes. */
  public static final int MAX_BODY_BYTES = 64 << 10;

  /** Longest body of a reply, bytes. */
  public static final int MAX_REPLY_BYTES = 1 << 20;

  private ControlProtocol() {}

  /** The number that a sequence header holds, or -1 for what is none. */
  static long sequenceNumber(@Nullable String text) {
    if (text == null || text.length() > 19 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return -1;
    }
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** What {@link #SIGNATURE_HEADER} is the hash of. */
  public static String signedRequest(
      String receiver, String method, String path, String job, String sequence, String body) {
    return String.join(
        "\n", "mission-control " + VERSION, receiver, method, path, job, sequence, body);
  }

  /** What {@link #REPLY_SIGNATURE_HEADER} is the hash of. */
  public static String signedReply(String sequence, String body) {
    return sequence + "\n" + body;
  }
}
