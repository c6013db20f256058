/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What the job history server tells of a job that has ended. Immutable. */
public record JobHistory(String server) {
  private static final Duration LIMIT = Duration.ofMinutes(5);

  /** Milliseconds from the end of a job's last map to the end of each reducer's shuffle. */
  public List<Double> waits(String job) throws IOException, InterruptedException {
    String tasks = "http://" + server + "/ws/v1/history/mapreduce/jobs/" + job + "/tasks";
    long lastMap = 0;
    List<Long> shuffles = new ArrayList<>();
    for (JsonNode task : get(tasks).at("/tasks/task")) {
      if (task.path("type").asText().equals("MAP")) {
        lastMap = Math.max(lastMap, task.path("finishTime").asLong());
      } else {
        String attempt = task.path("successfulAttempt").asText();
        JsonNode found = get(tasks + "/" + task.path("id").asText() + "/attempts/" + attempt);
        shuffles.add(found.at("/taskAttempt/shuffleFinishTime").asLong());
      }
    }
    if (lastMap == 0 || shuffles.contains(0L)) {
      throw new IOException("the history of " + job + " lacks times: " + lastMap + ", " + shuffles);
    }
    List<Double> waits = new ArrayList<>();
    for (long shuffle : shuffles) {
      waits.add((double) (shuffle - lastMap));
    }
    return waits;
  }

  /** A job is in the history a moment after its end. */
  private static JsonNode get(String url) throws IOException, InterruptedException {
    List<String> body = new ArrayList<>();
    Await.until(
        url,
        LIMIT,
        () -> {
          Http.get(url).ifPresent(body::add);
          return !body.isEmpty();
        },
        () -> "the job history server does not answer");
    return new ObjectMapper().readTree(body.get(0));
  }
}
