/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.mapreduce.task.reduce.MapOutput;
import org.missioncontrol.shuffle.flow.LocalFile;
import org.missioncontrol.shuffle.wire.MapOutputHeader;

/**
 * Reads outputs of this host from their files, one after the other, on a copier thread. A file
 * stays open while there is no memory for its output: it holds up nobody, and asking again would.
 */
final class LocalRead<K, V> implements Runnable {
  /** Bytes read at once: few system calls, and still in the cache when they are checked. */
  private static final int PIECE = 256 << 10;

  /** Hears of every output at most once, then of the end. Thread-safe. */
  interface Listener<K, V> {
    /** Whole and verified; the listener commits it. */
    void read(MapAttempt map, MapOutput<K, V> output, long bytes, long tookMs);

    /** It could not be read, or is bad. */
    void failed(MapAttempt map, IOException why);

    /** What was not told of is left, because the reducer stops. */
    void ended();

    /** This reducer cannot go on. */
    void fatal(Throwable why);
  }

  /** An output and its file, which is to be closed here. */
  record Work(MapAttempt map, LocalFile.Opened opened) {}

  private final MapServer server;
  private final int reduce;
  private final Deque<Work> work;
  private final MergeFeed<K, V> feed;
  private final int copier;
  private final Listener<K, V> listener;

  /**
   * @param server that would send the outputs
   * @param copier distinguishes this one from all that fetch or read at the same time
   */
  LocalRead(
      MapServer server,
      int reduce,
      Collection<Work> work,
      MergeFeed<K, V> feed,
      int copier,
      Listener<K, V> listener) {
    this.server = server;
    this.reduce = reduce;
    this.work = new ArrayDeque<>(work);
    this.feed = feed;
    this.copier = copier;
    this.listener = listener;
  }

  @Override
  public void run() {
    ByteBuf piece = PooledByteBufAllocator.DEFAULT.directBuffer(PIECE, PIECE);
    try {
      while (!work.isEmpty()) {
        read(work.peek(), piece);
        work.remove().opened().discard();
      }
      listener.ended();
    } catch (InterruptedException e) {
      listener.ended();
    } catch (RuntimeException | Error e) {
      listener.fatal(e);
    } finally {
      piece.release();
      discard();
    }
  }

  /** Closes the files of what is not read. */
  void discard() {
    work.forEach(one -> one.opened().discard());
    work.clear();
  }

  private void read(Work one, ByteBuf piece) throws InterruptedException {
    MapAttempt map = one.map();
    LocalFile.Opened opened = one.opened();
    MapOutputHeader header =
        new MapOutputHeader(map.id(), opened.partLength(), opened.rawLength(), reduce);
    long start = System.nanoTime();
    MapOutput<K, V> output = null;
    boolean whole = false;
    try {
      long counted = feed.checkLengths(map, header);
      output = feed.await(map, header, copier);
      feed.read(
          server, map, header, new FileBytes(opened.file(), opened.partLength(), piece), output);
      whole = true;
      listener.read(map, output, counted, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
    } catch (IOException e) {
      listener.failed(map, e);
    } finally {
      if (output != null && !whole) {
        output.abort();
      }
    }
  }
}
