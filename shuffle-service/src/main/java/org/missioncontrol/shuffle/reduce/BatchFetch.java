/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapreduce.task.reduce.MapOutput;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.broadcast.CopyBeingMade;
import org.missioncontrol.shuffle.wire.MapOutputHeader;

/** Fetches one batch over one connection, on a copier thread, and tells what became of each map. */
final class BatchFetch<K, V> implements Runnable {
  /** Hears of every output of a batch at most once, then of its end. Thread-safe. */
  interface Listener<K, V> {
    /** The server's end refused the transport asked for. */
    void transportRefused(MapServer server, String why);

    /** The server does not encrypt as the job wants it, or may not be the server. */
    void encryptionRefused(EncryptionRefused why);

    /** The next batch may be asked for behind this one. */
    void nearEnd();

    /** Whole and verified; the listener commits it. */
    void fetched(MapAttempt map, MapOutput<K, V> output, long bytes, long tookMs);

    void refused(MapAttempt map, MapOutputHeader.Failure why);

    /** Arrived with bad content. */
    void bad(MapAttempt map, FetchFault why);

    void ended(BatchEnd end);

    /** This reducer cannot go on. */
    void fatal(Throwable why);
  }

  /**
   * The end of a reply is near when no more of either is left. Immutable.
   *
   * @param outputs that have not come, 0 or more
   * @param bytes that have not come, 0 or more
   */
  record NearEnd(int outputs, long bytes) {}

  private final Conversation conversation;
  private final MapOutputRequest request;
  private final MergeFeed<K, V> feed;
  private final long readTimeoutMs;
  private final NearEnd near;
  private final int copier;
  private final Map<MapAttempt, CopyBeingMade> copies;
  private final Listener<K, V> listener;
  private final List<MapAttempt> left;
  private @Nullable MapAttempt current;
  private boolean askedAhead;
  private boolean toldNearEnd;

  /**
   * @param near when the listener hears that the end is near
   * @param copier distinguishes this batch from all that are fetched at the same time
   * @param copies to make for other reducers on this host
   */
  BatchFetch(
      Conversation conversation,
      MapOutputRequest request,
      MergeFeed<K, V> feed,
      long readTimeoutMs,
      NearEnd near,
      int copier,
      Map<MapAttempt, CopyBeingMade> copies,
      Listener<K, V> listener) {
    this.conversation = conversation;
    this.request = request;
    this.feed = feed;
    this.readTimeoutMs = readTimeoutMs;
    this.near = near;
    this.copier = copier;
    this.copies = copies;
    this.listener = listener;
    this.left = new ArrayList<>(request.maps());
  }

  /** Sends the request behind the one whose reply is under way; before this is run. */
  void askAhead() {
    askedAhead = true;
    conversation.send(request);
  }

  @Override
  public void run() {
    boolean reused = conversation.used();
    boolean answered = false;
    try {
      if (!askedAhead) {
        conversation.ask(request, readTimeoutMs);
      }
      Reply.Head head = (Reply.Head) conversation.take(readTimeoutMs);
      answered = true;
      if (head.transportRefusal() != null && !reused) {
        listener.transportRefused(request.server(), head.transportRefusal());
      }
      listener.ended(outputs(head));
    } catch (InterruptedException e) {
      listener.ended(new BatchEnd.Unasked(List.copyOf(left)));
    } catch (FetchFault e) {
      boolean idleClose = reused && !answered && e.kind() == FetchFault.Kind.CUT;
      List<MapAttempt> rest = List.copyOf(left);
      listener.ended(
          idleClose ? new BatchEnd.Unasked(rest) : BatchEnd.of(answered ? blaming(e) : e, rest));
    } catch (EncryptionRefused e) {
      List<MapAttempt> rest = List.copyOf(left);
      listener.encryptionRefused(e);
      listener.ended(
          e.clearInstead()
              ? new BatchEnd.Unasked(rest)
              : new BatchEnd.Broken(
                  rest,
                  new FetchFault(FetchFault.Kind.HOST, null, String.valueOf(e.getMessage()), e)));
    } catch (IOException e) {
      listener.ended(BatchEnd.of(e, List.copyOf(left)));
    } catch (RuntimeException | Error e) {
      listener.fatal(e);
    }
  }

  /** Once a reply has begun, it stalls on the output under way, else on the next. */
  private FetchFault blaming(FetchFault fault) {
    if (current != null && left.contains(current)) {
      return fault.blaming(current);
    }
    return left.isEmpty() ? fault : fault.blaming(left.get(0));
  }

  private BatchEnd outputs(Reply.Head head) throws IOException, InterruptedException {
    try {
      return untilEnd(head);
    } finally {
      conversation.leave();
    }
  }

  private BatchEnd untilEnd(Reply.Head head) throws IOException, InterruptedException {
    long rest = head.bodyLength();
    while (true) {
      if (head.allowsNext() && (rest <= near.bytes() || left.size() <= near.outputs())) {
        nearEnd();
      }
      Reply item = conversation.take(readTimeoutMs);
      if (item instanceof Reply.End) {
        conversation.answered();
        return new BatchEnd.Complete(head.keepAlive());
      }
      Reply.Output begun = (Reply.Output) item;
      current = begun.attempt();
      rest -= begun.header().partLength();
      MapOutputHeader.Failure failure = head.extended() ? begun.header().failure() : null;
      if (failure != null) {
        left.remove(begun.attempt());
        listener.refused(begun.attempt(), failure);
      } else if (!output(begun)) {
        return new BatchEnd.NoMemory(List.copyOf(left));
      }
    }
  }

  private void nearEnd() {
    if (!toldNearEnd) {
      toldNearEnd = true;
      listener.nearEnd();
    }
  }

  /** Copies one output; false when there was no memory for it. */
  private boolean output(Reply.Output begun) throws IOException, InterruptedException {
    MapAttempt map = begun.attempt();
    long start = System.nanoTime();
    long counted = feed.checkLengths(map, begun.header());
    MapOutput<K, V> output = feed.reserve(map, begun.header(), copier);
    if (output == null) {
      return false;
    }
    CopyBeingMade copy = copies.get(map);
    if (copy != null) {
      copy.begin(begun.header());
    }
    OutputBytes bytes =
        new OutputBytes(conversation::take, begun.header().partLength(), readTimeoutMs, copy);
    boolean whole = false;
    try {
      feed.read(request.server(), map, begun.header(), bytes, output);
      whole = true;
    } catch (FetchFault e) {
      if (e.kind() != FetchFault.Kind.BAD_DATA) {
        throw e;
      }
      left.remove(map);
      listener.bad(map, e);
      bytes.drain();
    } finally {
      bytes.release();
      if (!whole) {
        output.abort();
      }
    }
    if (whole) {
      left.remove(map);
      if (copy != null) {
        copy.publish();
      }
      listener.fetched(map, output, counted, (System.nanoTime() - start) / 1_000_000);
    }
    return true;
  }
}
