/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Why a batch, or one output of it, could not be fetched. Immutable. */
final class FetchFault extends IOException {
  private static final long serialVersionUID = 1L;

  /** What went wrong, and so who is to blame. */
  enum Kind {
    /** No connection could be made. */
    CONNECTION,
    /** The host does not answer as the job's map output server: status, version, hash, TLS. */
    HOST,
    /** The server failed the request as a whole (500). */
    BATCH,
    /** The connection ended early. */
    CUT,
    /** No byte came for the read timeout. */
    STALLED,
    /** Bytes that are no map output header. */
    BAD_ID,
    /** An output that was not asked for, or twice. */
    WRONG_MAP,
    WRONG_LENGTH,
    WRONG_REDUCE,
    /** The bytes of the output are bad: checksum, compression. */
    BAD_DATA
  }

  private final Kind kind;
  private final transient @Nullable MapAttempt culprit;

  FetchFault(Kind kind, @Nullable MapAttempt culprit, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.culprit = culprit;
  }

  FetchFault(Kind kind, String message) {
    this(kind, null, message, null);
  }

  /** The same, with the output to blame if it is a stall that blames none yet. */
  FetchFault blaming(MapAttempt stalled) {
    return kind == Kind.STALLED && culprit == null
        ? new FetchFault(kind, stalled, getMessage() + " on " + stalled, this)
        : this;
  }

  Kind kind() {
    return kind;
  }

  /** The output to blame; null when it is unknown. */
  @Nullable MapAttempt culprit() {
    return culprit;
  }
}
