/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;
import org.missioncontrol.shuffle.server.ServerCounter;

/**
 * The metrics of stock's ShuffleHandler, under their names, types and descriptions, with the values
 * that the descriptions promise. Thread-safe.
 */
final class StockMetrics implements MetricsSource {
  static final String NAME = "ShuffleMetrics";

  private final Counters counters;

  StockMetrics(Counters counters) {
    this.counters = counters;
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    collector
        .addRecord(NAME)
        .setContext("mapred")
        .addCounter(
            Interns.info("ShuffleOutputBytes", "Shuffle output in bytes"),
            counters.get(ServerCounter.OUTPUT_BYTES))
        .addCounter(
            Interns.info("ShuffleOutputsFailed", "# of failed shuffle outputs"),
            (int) counters.get(ServerCounter.OUTPUTS_FAILED))
        .addCounter(
            Interns.info("ShuffleOutputsOK", "# of succeeeded shuffle outputs"),
            (int) counters.get(ServerCounter.OUTPUTS_SENT))
        .addGauge(
            Interns.info("ShuffleConnections", "# of current shuffle connections"),
            (int) counters.openConnections());
  }
}
