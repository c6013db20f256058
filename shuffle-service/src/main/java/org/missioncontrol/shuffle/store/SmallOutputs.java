/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.store;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Small map outputs as a whole, within a total weight. One stays until each of its partitions has
 * been asked for, which reducers do once, or until its job ends; it makes room for others only when
 * it has not been asked for in a while, so that very many outputs read in turn do not push each
 * other out before they are of use. Thread-safe, does not block.
 */
final class SmallOutputs {
  /** Longest output that is remembered, bytes. */
  static final int MAX_BYTES = 256 << 10;

  /** Time without use after which an output makes room. */
  static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final long maxWeight;
  private final LongSupplier nanos;
  private final Map<OutputId, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
  private long weight;

  /**
   * Starts empty.
   *
   * @param maxWeight total, bytes; 0 remembers nothing
   * @param nanos as {@link System#nanoTime}
   */
  SmallOutputs(long maxWeight, LongSupplier nanos) {
    this.maxWeight = maxWeight;
    this.nanos = nanos;
  }

  /** A whole output. Immutable. */
  record Whole(MapOutputIndex index, ByteBuffer file) {}

  /** An output if it is remembered. */
  synchronized @Nullable Whole get(OutputId id) {
    Entry entry = entries.get(id);
    if (entry == null) {
      return null;
    }
    entry.lastUse = nanos.getAsLong();
    return entry.whole;
  }

  /** So many of an output's partitions have been asked for. */
  synchronized void asked(OutputId id, int partitions) {
    Entry entry = entries.get(id);
    if (entry != null) {
      entry.left -= partitions;
      if (entry.left <= 0) {
        remove(id);
      }
    }
  }

  /** Whether an output of that index would be remembered now. */
  synchronized boolean hasRoom(OutputId id, MapOutputIndex index) {
    long added = weight(id, index);
    if (index.end() > MAX_BYTES || added > maxWeight) {
      return false;
    }
    long now = nanos.getAsLong();
    Iterator<Entry> eldest = entries.values().iterator();
    while (weight + added > maxWeight && eldest.hasNext()) {
      Entry entry = eldest.next();
      if (now - entry.lastUse < IDLE_NANOS) {
        return false;
      }
      eldest.remove();
      weight -= entry.weight;
    }
    return true;
  }

  /** Remembers an output if there is room. */
  synchronized void add(OutputId id, Whole whole) {
    if (!entries.containsKey(id) && hasRoom(id, whole.index())) {
      Entry entry = new Entry(whole, weight(id, whole.index()), nanos.getAsLong());
      entries.put(id, entry);
      weight += entry.weight;
    }
  }

  synchronized void remove(OutputId id) {
    Entry entry = entries.remove(id);
    weight -= entry == null ? 0 : entry.weight;
  }

  synchronized void forget(String job) {
    entries
        .entrySet()
        .removeIf(
            entry -> {
              boolean gone = entry.getKey().job().equals(job);
              weight -= gone ? entry.getValue().weight : 0;
              return gone;
            });
  }

  synchronized long weight() {
    return weight;
  }

  private static long weight(OutputId id, MapOutputIndex index) {
    return id.bytes() + index.bytes() + index.end();
  }

  private static final class Entry {
    private final Whole whole;
    private final long weight;
    private int left;
    private long lastUse;

    private Entry(Whole whole, long weight, long lastUse) {
      this.whole = whole;
      this.weight = weight;
      this.left = whole.index().partitions();
      this.lastUse = lastUse;
    }
  }
}
