/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.flow;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Renewals that wait for the NodeManager's word. Event-loop confined. */
final class Renewals {
  private final Map<Long, CompletableFuture<Boolean>> asked = new HashMap<>();

  /** Asked twice, both get the one answer. */
  CompletableFuture<Boolean> ask(long lease) {
    return asked.computeIfAbsent(lease, unasked -> new CompletableFuture<>());
  }

  void answer(long lease, boolean granted) {
    CompletableFuture<Boolean> answer = asked.remove(lease);
    if (answer != null) {
      answer.complete(granted);
    }
  }

  /** There is nobody who could answer any more. */
  void denyAll() {
    List<CompletableFuture<Boolean>> all = List.copyOf(asked.values());
    asked.clear();
    all.forEach(answer -> answer.complete(false));
  }
}
