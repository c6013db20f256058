/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.terasort;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.missioncontrol.bench.cluster.Http;
import org.missioncontrol.bench.cluster.LocalCluster;

/**
 * Reads every NodeManager's status again and again. Owned by its thread until closed, then by who
 * closed it.
 */
final class FlowSampler implements AutoCloseable {
  private static final long POLL_MS = 100;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final LocalCluster cluster;
  private final Map<String, HostFlows> hosts = new TreeMap<>();
  private final Thread thread = new Thread(this::run, "flow-sampler");
  private int samples;
  private volatile boolean stopped;

  FlowSampler(LocalCluster cluster) {
    this.cluster = cluster;
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      while (!stopped) {
        for (int node = 0; node < cluster.nodeCount(); node++) {
          sample(node);
        }
        Thread.sleep(POLL_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void sample(int node) throws InterruptedException {
    Optional<String> body = Http.get(cluster.shuffleUrl(node) + "/missionControl/v1/status");
    if (body.isEmpty()) {
      return;
    }
    try {
      hosts
          .computeIfAbsent(cluster.host(node), host -> new HostFlows())
          .add(JSON.readTree(body.get()));
      samples++;
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("not JSON, from " + cluster.shuffleUrl(node), e);
    }
  }

  /** Ends the thread; the results are the caller's from now on. */
  @Override
  public void close() {
    stopped = true;
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** By host; complete after close. */
  Map<String, HostFlows> hosts() {
    return hosts;
  }

  /** Statuses read. */
  int samples() {
    return samples;
  }
}
