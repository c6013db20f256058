/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.mapreduce.task.reduce.MapOutput;
import org.missioncontrol.shuffle.broadcast.CompleteCopy;
import org.missioncontrol.shuffle.broadcast.HostCopies;

/**
 * Reads this host's copy of one map output, on a copier thread; the copy stays open while there is
 * no memory for it.
 */
final class CopyRead<K, V> implements Runnable {
  /** Hears of exactly one end, or of none if the reducer stops. Thread-safe. */
  interface Listener<K, V> {
    /** Whole and verified; the listener commits it. */
    void read(MapOutput<K, V> output, long bytes, long tookMs);

    /** The copy is of no use. */
    void bad(Exception why);

    /** This reducer cannot go on. */
    void fatal(Throwable why);
  }

  private final HostCopies copies;
  private final MapServer server;
  private final MapAttempt map;
  private final MergeFeed<K, V> feed;
  private final int copier;
  private final Listener<K, V> listener;
  private long counted;

  /**
   * @param server where the output lies
   * @param copier distinguishes this one from all that are fetched or read at the same time
   */
  CopyRead(
      HostCopies copies,
      MapServer server,
      MapAttempt map,
      MergeFeed<K, V> feed,
      int copier,
      Listener<K, V> listener) {
    this.copies = copies;
    this.server = server;
    this.map = map;
    this.feed = feed;
    this.copier = copier;
    this.listener = listener;
  }

  @Override
  public void run() {
    long start = System.nanoTime();
    try {
      MapOutput<K, V> output = output();
      listener.read(output, counted, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
    } catch (InterruptedException e) {
      // Nobody listens any more.
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      listener.bad(e);
    } catch (RuntimeException | Error e) {
      listener.fatal(e);
    }
  }

  private MapOutput<K, V> output() throws IOException, InterruptedException {
    MapOutput<K, V> output = null;
    boolean whole = false;
    try (CompleteCopy copy = copies.read(map.id())) {
      counted = feed.checkLengths(map, copy.header());
      output = feed.await(map, copy.header(), copier);
      feed.read(server, map, copy.header(), new CopyBytes(copy), output);
      whole = true;
      return output;
    } finally {
      if (output != null && !whole) {
        output.abort();
      }
    }
  }
}
