/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import java.util.ArrayList;
import java.util.List;

/** A reply that is being prepared, output by output. Owned by one thread at a time. */
final class Preparation {
  /** Longest output that is read at once instead of sent from its file, bytes. */
  static final int SMALL_BYTES = 16 << 10;

  /** Bytes of small outputs that any reply may have in memory. */
  static final int SMALL_BYTES_PER_REPLY = 64 << 10;

  /** The same while few replies want as much. */
  static final int MOST_SMALL_BYTES_PER_REPLY = 256 << 10;

  /** Most files that one reply holds open; later ones are opened again at their turn. */
  static final int OPEN_PER_REPLY = 20;

  private final AuthenticatedRequest request;
  private final List<PreparedOutput> outputs;
  private long length;
  private final SmallBytes.Share share;
  private int small;
  private int open;

  /**
   * @param smallBytes that all replies share
   */
  Preparation(AuthenticatedRequest request, SmallBytes smallBytes) {
    this.request = request;
    this.share = smallBytes.share();
    this.outputs = new ArrayList<>(request.shuffle().attempts().size());
  }

  AuthenticatedRequest request() {
    return request;
  }

  boolean complete() {
    return outputs.size() == request.shuffle().attempts().size();
  }

  /** The attempt whose output is to be {@link #add}ed next. */
  String next() {
    return request.shuffle().attempts().get(outputs.size());
  }

  /** Most bytes of the next output for it to be sent from memory. */
  int smallLeft() {
    int own = SMALL_BYTES_PER_REPLY + share.bytes() - small;
    if (own < SMALL_BYTES && small + SMALL_BYTES <= MOST_SMALL_BYTES_PER_REPLY && share.grow()) {
      own += SmallBytes.STEP;
    }
    return Math.min(SMALL_BYTES, own);
  }

  /** Whether the next output's file may be held open. */
  boolean mayHold() {
    return open < OPEN_PER_REPLY;
  }

  void add(PreparedOutput output) {
    outputs.add(output);
    length += output.head().readableBytes() + output.fileBytes();
    small += output.fileBytes() == 0 ? (int) output.bodyBytes() : 0;
    open += output.file() == null ? 0 : 1;
  }

  /** Bytes of all heads and files. */
  long length() {
    return length;
  }

  PreparedReply reply() {
    return new PreparedReply(request, outputs, length, share);
  }

  /** Closes what is open. */
  void abandon() {
    outputs.forEach(PreparedOutput::close);
    share.close();
  }
}
