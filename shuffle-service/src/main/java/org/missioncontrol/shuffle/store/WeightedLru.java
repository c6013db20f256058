/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.store;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.ToLongBiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Remembers values within a total weight, forgetting the least recently used first, and each one
 * some time after its last use. Thread-safe.
 */
final class WeightedLru<K, V> {
  private final long maxWeight;
  private final long expireNanos;
  private final ToLongBiFunction<K, V> weigher;
  private final LongSupplier nanos;
  private final Map<K, Entry<V>> entries = new LinkedHashMap<>(16, 0.75f, true);
  private long weight;

  /**
   * Starts empty.
   *
   * @param maxWeight total; 0 or less remembers nothing
   * @param expireNanos nanoseconds after its last use that a value is forgotten
   */
  WeightedLru(
      long maxWeight, long expireNanos, ToLongBiFunction<K, V> weigher, LongSupplier nanos) {
    this.maxWeight = maxWeight;
    this.expireNanos = expireNanos;
    this.weigher = weigher;
    this.nanos = nanos;
  }

  synchronized @Nullable V get(K key) {
    Entry<V> entry = entries.get(key);
    if (entry == null) {
      return null;
    }
    long now = nanos.getAsLong();
    if (now - entry.lastUse >= expireNanos) {
      remove(key);
      return null;
    }
    entry.lastUse = now;
    return entry.value;
  }

  synchronized void put(K key, V value) {
    remove(key);
    long now = nanos.getAsLong();
    long added = weigher.applyAsLong(key, value);
    if (added > maxWeight) {
      return;
    }
    entries.put(key, new Entry<>(value, added, now));
    weight += added;
    Iterator<Entry<V>> eldest = entries.values().iterator();
    while (eldest.hasNext()) {
      Entry<V> entry = eldest.next();
      if (weight <= maxWeight && now - entry.lastUse < expireNanos) {
        break;
      }
      eldest.remove();
      weight -= entry.weight;
    }
  }

  synchronized void remove(K key) {
    Entry<V> entry = entries.remove(key);
    if (entry != null) {
      weight -= entry.weight;
    }
  }

  synchronized void removeIf(Predicate<K> which) {
    entries
        .entrySet()
        .removeIf(
            entry -> {
              boolean gone = which.test(entry.getKey());
              weight -= gone ? entry.getValue().weight : 0;
              return gone;
            });
  }

  synchronized long weight() {
    return weight;
  }

  private static final class Entry<V> {
    private final V value;
    private final long weight;
    private long lastUse;

    private Entry(V value, long weight, long lastUse) {
      this.value = value;
      this.weight = weight;
      this.lastUse = lastUse;
    }
  }
}
