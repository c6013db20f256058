/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.missioncontrol.bench.cluster.Await;
import org.missioncontrol.bench.cluster.Http;
import org.missioncontrol.bench.cluster.LocalCluster;

/** A NodeManager's status as an operator reads it. Immutable. */
record HostStatus(JsonNode json) {
  private static final ObjectMapper JSON = new ObjectMapper();

  static Optional<HostStatus> of(LocalCluster cluster, int node)
      throws IOException, InterruptedException {
    Optional<String> body = Http.get(cluster.shuffleUrl(node) + "/missionControl/v1/status");
    return body.isPresent()
        ? Optional.of(new HostStatus(JSON.readTree(body.get())))
        : Optional.empty();
  }

  int budget() {
    return json.path("budget").asInt(-1);
  }

  int inUse() {
    return json.path("inUse").asInt(-1);
  }

  /** Flows that a job holds on this host. */
  int flows(String job) {
    return job(job).path("flows").size();
  }

  JsonNode job(String id) {
    return StreamSupport.stream(json.path("jobs").spliterator(), false)
        .filter(job -> id.equals(job.path("job").asText()))
        .findFirst()
        .orElse(JSON.missingNode());
  }

  /** Looks until it sees the condition, and gives every status seen on the way. */
  static List<HostStatus> watch(
      LocalCluster cluster, int node, String what, Duration limit, Sight sight)
      throws IOException, InterruptedException {
    List<HostStatus> seen = new ArrayList<>();
    Await.until(
        what,
        limit,
        () -> {
          Optional<HostStatus> status = of(cluster, node);
          status.ifPresent(seen::add);
          return sight.seen(status.orElse(null));
        },
        () -> (seen.isEmpty() ? "no status" : "last: " + seen.get(seen.size() - 1).json()));
    return seen;
  }

  /** What one waits to see. */
  interface Sight {
    boolean seen(HostStatus statusOrNull) throws IOException, InterruptedException;
  }

  /** Waits until no flow is leased on any host of the cluster. */
  static void awaitWholeBudget(LocalCluster cluster) throws IOException, InterruptedException {
    for (int node = 0; node < cluster.nodeCount(); node++) {
      watch(
          cluster,
          node,
          "a whole budget on host " + node,
          Duration.ofSeconds(60),
          status -> status != null && status.inUse() == 0);
    }
  }
}
