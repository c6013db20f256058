/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.missioncontrol.shuffle.throttle.ThrottleBooks.JobLine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs once that a job wants to weigh more than its cap, and again if either changes. Thread-safe.
 */
final class CapNotices {
  private static final Logger LOG = LoggerFactory.getLogger(CapNotices.class);

  private final Map<String, Notice> given = new HashMap<>();

  private record Notice(float wanted, float cap) {}

  /** Looks at all jobs; forgets those that are gone or no longer capped. */
  synchronized void look(List<JobLine> lines) {
    Map<String, Notice> capped = new HashMap<>();
    for (JobLine line : lines) {
      if (line.wantedWeight() > line.weightCap()) {
        capped.put(line.job(), new Notice(line.wantedWeight(), line.weightCap()));
      }
    }
    given.keySet().retainAll(capped.keySet());
    capped.forEach(
        (job, notice) -> {
          if (!Objects.equals(given.put(job, notice), notice)) {
            LOG.info(
                "{} wants a weight of {}, more than its cap: it has {}",
                job,
                notice.wanted(),
                notice.cap());
          }
        });
  }
}
