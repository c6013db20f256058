/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.missioncontrol.shuffle.server.ServerCounter;
import org.missioncontrol.shuffle.server.ServerEvents;
import org.missioncontrol.shuffle.status.Count;

/** Adds up what the server counts, and the bytes of each job. Thread-safe. */
final class Counters implements ServerEvents {
  private final Map<ServerCounter, LongAdder> values = new ConcurrentHashMap<>();
  // Only of jobs that this NodeManager knows, since the server asks for the job's hash first.
  private final Map<String, LongAdder> sentBytes = new ConcurrentHashMap<>();

  @Override
  public void count(ServerCounter counter, long amount) {
    values.computeIfAbsent(counter, any -> new LongAdder()).add(amount);
  }

  @Override
  public void sent(String job, long bytes) {
    sentBytes.computeIfAbsent(job, any -> new LongAdder()).add(bytes);
  }

  /** Bytes of map outputs sent, by job. */
  Map<String, Long> sentBytes() {
    return sentBytes.entrySet().stream()
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, job -> job.getValue().sum()));
  }

  /** Keeps the bytes of the jobs that are still known. */
  void keepBytesOf(Predicate<String> known) {
    sentBytes.keySet().removeIf(known.negate());
  }

  long get(ServerCounter counter) {
    LongAdder value = values.get(counter);
    return value == null ? 0 : value.sum();
  }

  /** Connections that are open now. */
  long openConnections() {
    // The closed ones first, so that one which closes meanwhile is never counted as minus one.
    long closed = get(ServerCounter.CONNECTIONS_CLOSED);
    return get(ServerCounter.CONNECTIONS_OPENED) - closed;
  }

  List<Count> all() {
    return Arrays.stream(ServerCounter.values())
        .map(counter -> Count.of("", counter, counter.description(), get(counter)))
        .toList();
  }
}
