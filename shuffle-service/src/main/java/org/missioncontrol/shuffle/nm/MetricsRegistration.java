/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import org.apache.hadoop.metrics2.MetricsException;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One metrics source while it is registered. Owned by the service. */
final class MetricsRegistration implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MetricsRegistration.class);

  /** More services than any mini cluster has in one JVM. */
  private static final int MAX_NAMESAKES = 1000;

  private final MetricsSystem system;
  private final String name;
  private final MetricsSource source;

  private MetricsRegistration(MetricsSystem system, String name, MetricsSource source) {
    this.system = system;
    this.name = name;
    this.source = source;
  }

  /** Registers a source; where the name is taken, shuffling goes on without these metrics. */
  static MetricsRegistration of(
      MetricsSystem system, String name, String description, MetricsSource source) {
    try {
      system.register(name, description, source);
    } catch (MetricsException e) {
      LOG.warn("no metrics {}: {}", name, e.getMessage());
    }
    return new MetricsRegistration(system, name, source);
  }

  /** Unregisters this source, and never a namesake. */
  @Override
  public void close() {
    // In a mini cluster the metrics system appends a number to a name that is taken, and does not
    // tell; in a test without one the last source of a name replaces the others.
    for (int i = 0; i < MAX_NAMESAKES; i++) {
      String candidate = i == 0 ? name : name + "-" + i;
      if (system.getSource(candidate) == source) {
        system.unregisterSource(candidate);
        return;
      }
    }
  }
}
