/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.terasort;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What one NodeManager's status said over time. Owned by the sampler until it has stopped. */
final class HostFlows {
  private int budget;
  private int mostInUse;
  private final Map<String, JobFlows> jobs = new TreeMap<>();
  private final Map<String, Set<String>> sockets = new TreeMap<>();

  /** One job on this host. */
  static final class JobFlows {
    private double weight;
    private boolean announced;
    private int mostShare;
    private int mostFlows;
    private final Set<Long> flows = new HashSet<>();

    double weight() {
      return weight;
    }

    boolean announced() {
      return announced;
    }

    int mostShare() {
      return mostShare;
    }

    int mostFlows() {
      return mostFlows;
    }

    int seen() {
      return flows.size();
    }
  }

  /** Adds one status. */
  void add(JsonNode status) {
    budget = status.path("budget").asInt();
    mostInUse = Math.max(mostInUse, status.path("inUse").asInt());
    for (JsonNode job : status.path("jobs")) {
      addJob(job);
    }
    for (JsonNode served : status.path("served")) {
      addSocket("server", served, served.path("peer").asText());
    }
  }

  private void addJob(JsonNode job) {
    JobFlows flows = jobs.computeIfAbsent(job.path("job").asText(), id -> new JobFlows());
    flows.weight = job.path("weight").asDouble();
    flows.announced |= job.path("announced").asBoolean();
    flows.mostShare = Math.max(flows.mostShare, job.path("share").asInt());
    flows.mostFlows = Math.max(flows.mostFlows, job.path("flows").size());
    for (JsonNode flow : job.path("flows")) {
      flows.flows.add(flow.path("id").asLong());
      addSocket("reducer", flow, flow.path("id").asText());
    }
  }

  private void addSocket(String end, JsonNode socket, String identity) {
    String transport = socket.path("transport").asText();
    String refusal = socket.path("refusal").asText("null");
    String kind =
        String.format(
            "%-8s %-10s %-10s %s",
            end,
            transport.isEmpty() ? "default" : transport,
            socket.path("congestionControl").asText(),
            "null".equals(refusal) || refusal.isEmpty() ? "" : "refused: " + refusal);
    sockets.computeIfAbsent(kind.stripTrailing(), k -> new HashSet<>()).add(identity);
  }

  int budget() {
    return budget;
  }

  int mostInUse() {
    return mostInUse;
  }

  Map<String, JobFlows> jobs() {
    return jobs;
  }

  /** Number of sockets seen by end, transport asked, and the kernel's word. */
  Map<String, Integer> sockets() {
    Map<String, Integer> counts = new TreeMap<>();
    new HashMap<>(sockets).forEach((kind, seen) -> counts.put(kind, seen.size()));
    return counts;
  }
}
