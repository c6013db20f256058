/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.cluster;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One NodeManager as it is wanted. Immutable.
 *
 * @param handler its shuffle service
 * @param recovery whether it keeps its state and its containers over a restart
 * @param memoryMb what it offers to containers
 * @param settings entries of its own yarn-site.xml, over all others
 */
public record NodeSpec(
    Handler handler, boolean recovery, int memoryMb, Map<String, String> settings) {
  private static final int MEMORY_MB = 8192;

  /** Copies the map. */
  public NodeSpec {
    settings = Map.copyOf(settings);
  }

  /** A node with Hadoop's own shuffle service. */
  public static NodeSpec stock() {
    return new NodeSpec(Handler.STOCK, false, MEMORY_MB, Map.of());
  }

  /** A node with our shuffle service. */
  public static NodeSpec ours() {
    return new NodeSpec(Handler.OURS_ON_CLASS_PATH, false, MEMORY_MB, Map.of());
  }

  /** The same with another shuffle service. */
  public NodeSpec with(Handler other) {
    return new NodeSpec(other, recovery, memoryMb, settings);
  }

  /** The same with one more entry of yarn-site.xml. */
  public NodeSpec with(String key, String value) {
    Map<String, String> more = new LinkedHashMap<>(settings);
    more.put(key, value);
    return new NodeSpec(handler, recovery, memoryMb, more);
  }

  /** The same with so much memory for containers. */
  public NodeSpec withMemoryMb(int megabytes) {
    return new NodeSpec(handler, recovery, megabytes, settings);
  }

  /** The same with NodeManager recovery, supervised, so that containers outlive a restart. */
  public NodeSpec withRecovery() {
    return new NodeSpec(handler, true, memoryMb, settings);
  }
}
