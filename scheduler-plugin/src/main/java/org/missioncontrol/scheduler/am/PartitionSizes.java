/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.scheduler.control.LocalPart;
import org.missioncontrol.scheduler.control.StoredBytes;
import org.missioncontrol.scheduler.graph.StageClass;

/**
 * How many bytes each reducer wants: the sum of what the map hosts say they store for its
 * partition. Map hosts without reducers are asked only while they have more to tell, and only when
 * some host runs two reducers or more, since else there is nothing to split. Owned by the
 * controller's thread.
 */
final class PartitionSizes {
  private static final int REDUCERS_TO_SPLIT_AMONG = 2;

  private final Map<Node, StoredBytes> stored = new HashMap<>();

  /** What a host said of its map outputs, if anything. */
  void learn(Node node, @Nullable StoredBytes told) {
    if (told != null) {
      stored.put(node, told);
    }
  }

  /** The hosts to speak to: those of the reducers, and map hosts that have more to tell. */
  Set<Node> audience(JobLook look) {
    Set<Node> audience = new HashSet<>(look.reducerNodes());
    if (look.reducers().values().stream().anyMatch(here -> differ(look, here))) {
      look.storedOutputs()
          .forEach(
              (node, outputs) -> {
                if (outputs > known(node)) {
                  audience.add(node);
                }
              });
    }
    return audience;
  }

  /** What a host is to hear beside the transfer itself. */
  LocalPart tell(Node node, JobLook look) {
    Map<String, Integer> reducers = look.reducers().get(node);
    if (reducers == null) {
      return new LocalPart(true, known(node), Map.of());
    }
    Map<String, Long> wanted = new HashMap<>();
    if (differ(look, reducers) && !stored.isEmpty()) {
      reducers.entrySet().stream()
          .sorted(Map.Entry.comparingByKey())
          .limit(LocalPart.MAX_TASKS)
          .forEach(task -> wanted.put(task.getKey(), bytes(task.getValue())));
    }
    return new LocalPart(false, known(node), wanted);
  }

  /** Whether reducers of one host may want different amounts; of a broadcast all want all. */
  private static boolean differ(JobLook look, Map<String, Integer> reducers) {
    return reducers.size() >= REDUCERS_TO_SPLIT_AMONG
        && look.transferClass() != StageClass.BROADCAST;
  }

  private int known(Node node) {
    StoredBytes told = stored.get(node);
    return told == null ? 0 : told.outputs();
  }

  private long bytes(int partition) {
    return stored.values().stream()
        .map(StoredBytes::partitionBytes)
        .filter(sizes -> partition < sizes.size())
        .mapToLong((List<Long> sizes) -> sizes.get(partition))
        .sum();
  }
}
