/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a flow stands: the batch under way, whether its lease holds for another, and the batch that
 * has been asked for behind it. Owned by the reduce thread.
 */
final class FlowTurn<K, V> {
  /** Whether the lender lets another batch follow the one under way. */
  enum Renewal {
    UNASKED,
    ASKED,
    GRANTED,
    DENIED
  }

  /** A batch and who fetches it. Immutable. */
  record Batch<K, V>(List<MapAttempt> maps, BatchFetch<K, V> fetch) {}

  /** Most time by which a lease is renewed before its batch ends, milliseconds. */
  private static final int RENEWED_EARLY_MS = 10;

  /** Bytes of a reply that are under way already, or will be before a request gets there. */
  private static final long SHORT_REST = 256 << 10;

  private final Conversation conversation;
  private final BatchPace pace;
  private @Nullable Batch<K, V> ahead;
  private Renewal renewal = Renewal.UNASKED;
  private boolean busy;
  private long beganMs;

  FlowTurn(Conversation conversation, BatchPace pace) {
    this.conversation = conversation;
    this.pace = pace;
  }

  Conversation conversation() {
    return conversation;
  }

  MapServer server() {
    return conversation.server();
  }

  /** Outputs of the next batch, from 1 to {@code most}. */
  int outputs(int most) {
    return conversation.flow().leased() ? pace.outputs(most) : most;
  }

  /**
   * When a batch is so nearly here that the next may be asked for. A lease is renewed milliseconds
   * early and no more, or it would hold a share that has moved.
   */
  BatchFetch.NearEnd nearEnd() {
    return conversation.flow().leased()
        ? new BatchFetch.NearEnd(pace.outputsIn(RENEWED_EARLY_MS), 0)
        : new BatchFetch.NearEnd(1, SHORT_REST);
  }

  /** A batch is fetched from now on. */
  void begins(long nowMs) {
    busy = true;
    beganMs = nowMs;
    renewal = Renewal.UNASKED;
  }

  /**
   * The batch under way has ended.
   *
   * @param outputs that came, 0 unless all did
   */
  void ends(int outputs, long nowMs) {
    busy = false;
    if (outputs > 0) {
      pace.took(outputs, nowMs - beganMs);
    }
  }

  boolean busy() {
    return busy;
  }

  Renewal renewal() {
    return renewal;
  }

  void renewal(Renewal now) {
    renewal = now;
  }

  /** A batch has been asked for behind the one under way. */
  void asked(Batch<K, V> next) {
    ahead = next;
  }

  /** Takes the batch that has been asked for; null if none was. */
  @Nullable Batch<K, V> takeAhead() {
    Batch<K, V> taken = ahead;
    ahead = null;
    return taken;
  }
}
