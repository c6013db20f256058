/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.store;

import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Small map outputs as a whole, within a total weight. One is read by whoever begins it, while
 * others look for it on the disk; it stays until each of its partitions has been asked for since,
 * which reducers do once, or until its job ends. It makes room for others only when it has not been
 * asked for in a while, so that very many outputs read in turn do not push each other out before
 * they are of use. Thread-safe, does not block.
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

  /** Partitions {@code first} to {@code last} of an output have been asked for, maybe again. */
  synchronized void asked(OutputId id, int first, int last) {
    Entry entry = entries.get(id);
    if (entry != null) {
      entry.asked.set(first, last + 1);
      if (entry.asked.cardinality() >= entry.partitions) {
        remove(id);
      }
    }
  }

  /**
   * Keeps room for an output of that index, which the caller reads and then {@link #finish}es or
   * {@link #remove}s.
   *
   * @return false if there is no room, or somebody has begun it
   */
  synchronized boolean begin(OutputId id, MapOutputIndex index) {
    long added = weight(id, index);
    if (index.end() > MAX_BYTES || !makeRoom(added) || entries.containsKey(id)) {
      return false;
    }
    entries.put(id, new Entry(index.partitions(), added, nanos.getAsLong()));
    weight += added;
    return true;
  }

  private boolean makeRoom(long added) {
    if (added > maxWeight) {
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

  /** Remembers what was begun, if it is still of use. */
  synchronized void finish(OutputId id, Whole whole) {
    Entry entry = entries.get(id);
    if (entry != null) {
      entry.whole = whole;
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
    return id.bytes() + index.bytes() + index.end() + index.partitions() / Byte.SIZE;
  }

  private static final class Entry {
    private final int partitions;
    private final long weight;
    private final BitSet asked = new BitSet();
    private @Nullable Whole whole;
    private long lastUse;

    private Entry(int partitions, long weight, long lastUse) {
      this.partitions = partitions;
      this.weight = weight;
      this.lastUse = lastUse;
    }
  }
}
