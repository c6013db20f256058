/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import io.netty.channel.Channel;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Hands a reply from its event loop to its copier, with bounded memory: above {@link #HIGH} bytes
 * the socket is not read until the copier has caught up, so TCP slows the sender. Thread-safe.
 */
final class Mailbox implements ReplySource {
  /** Bytes above which reading stops, and below which it goes on. */
  static final int HIGH = 1 << 20;

  static final int LOW = HIGH / 4;

  private final Deque<Reply> items = new ArrayDeque<>();
  private int bytes;
  private boolean closed;
  private @Nullable IOException fault;
  private @Nullable Channel paused;

  /** Called on the event loop. */
  synchronized void put(Reply item, Channel channel) {
    if (closed) {
      release(item);
      return;
    }
    items.addLast(item);
    bytes += size(item);
    if (bytes > HIGH && paused == null) {
      paused = channel;
      channel.config().setAutoRead(false);
    }
    notifyAll();
  }

  /** Whether there is room for what one read of the socket brings, without a pause of reading. */
  synchronized boolean nearlyEmpty() {
    return bytes < LOW;
  }

  /** Nothing more will come; what came before is still handed out. */
  synchronized void fail(IOException why) {
    if (fault == null) {
      fault = why;
      notifyAll();
    }
  }

  @Override
  public synchronized Reply take(long timeoutMs) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    while (items.isEmpty()) {
      if (fault != null) {
        throw fault;
      }
      long left = deadline - System.nanoTime();
      if (timeoutMs > 0 && left <= 0) {
        throw stalled(timeoutMs);
      }
      TimeUnit.NANOSECONDS.timedWait(this, timeoutMs > 0 ? left : TimeUnit.DAYS.toNanos(1));
    }
    Reply item = items.removeFirst();
    bytes -= size(item);
    if (paused != null && bytes < LOW) {
      paused.config().setAutoRead(true);
      paused = null;
    }
    return item;
  }

  /** The fault of a reply of which nothing has come in time. */
  static FetchFault stalled(long timeoutMs) {
    return new FetchFault(
        FetchFault.Kind.STALLED, "not one byte came for " + timeoutMs + " ms; gave up");
  }

  /** Why nothing more comes; null while something may. */
  synchronized @Nullable IOException fault() {
    return fault;
  }

  /** Whether the other end has gone or misbehaved. */
  synchronized boolean failed() {
    return fault != null;
  }

  /** Releases what is here and what will come. */
  synchronized void close() {
    closed = true;
    items.forEach(Mailbox::release);
    items.clear();
    bytes = 0;
    fail(new IOException("closed by this reducer"));
  }

  private static int size(Reply item) {
    return item instanceof Reply.Bytes data ? data.data().readableBytes() : 0;
  }

  static void release(Reply item) {
    if (item instanceof Reply.Bytes data) {
      data.data().release();
    } else if (item instanceof Reply.Rest rest) {
      rest.body().close();
    }
  }
}
