/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.List;
import javax.management.InstanceNotFoundException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.missioncontrol.shuffle.server.ServerCounter;
import org.missioncontrol.shuffle.status.Count;
import org.missioncontrol.shuffle.throttle.ThrottleSnapshot;

class MetricsTest {
  private final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
  private final Counters counters = new Counters();
  private MetricsSystem system;

  @BeforeEach
  void startMetricsAsANodeManagerDoes() {
    system = DefaultMetricsSystem.initialize("NodeManager");
  }

  @AfterEach
  void stopMetrics() {
    DefaultMetricsSystem.setMiniClusterMode(false);
    DefaultMetricsSystem.shutdown();
  }

  @Test
  void theStockBeanHasTheStockAttributesWithTheStockTypes() throws Exception {
    counters.count(ServerCounter.OUTPUT_BYTES, 1L << 33);
    counters.count(ServerCounter.OUTPUTS_SENT, 5);
    counters.count(ServerCounter.OUTPUTS_FAILED, 2);
    counters.count(ServerCounter.CONNECTIONS_OPENED, 4);
    counters.count(ServerCounter.CONNECTIONS_CLOSED, 1);

    try (MetricsRegistration registered = stock()) {
      assertThat(registered).isNotNull();
      assertThat(value("ShuffleMetrics", "ShuffleOutputBytes")).isEqualTo(1L << 33);
      assertThat(value("ShuffleMetrics", "ShuffleOutputsOK")).isEqualTo(5);
      assertThat(value("ShuffleMetrics", "ShuffleOutputsFailed")).isEqualTo(2);
      assertThat(value("ShuffleMetrics", "ShuffleConnections")).isEqualTo(3);
      assertThat(value("ShuffleMetrics", "tag.Context")).isEqualTo("mapred");
    }
    assertThat(bean("ShuffleMetrics")).as("after the service stopped").isFalse();
  }

  @Test
  void ourBeanTellsFlowsAndEveryCounterOfTheServer() throws Exception {
    ThrottleSnapshot snapshot =
        new ThrottleSnapshot(
            "fair",
            10,
            2,
            List.of(
                new ThrottleSnapshot.JobFlows(
                    "job_1_0001",
                    "alice",
                    1,
                    null,
                    1,
                    1,
                    true,
                    "shuffle",
                    7,
                    5,
                    List.of(),
                    List.of())));
    counters.count(ServerCounter.REQUESTS_REFUSED, 3);

    try (MetricsRegistration registered =
        MetricsRegistration.of(
            system, FlowMetrics.NAME, "flows", new FlowMetrics(() -> snapshot, counters::all))) {
      assertThat(registered).isNotNull();
      assertThat(value("MissionControl", "FlowsBudget")).isEqualTo(10);
      assertThat(value("MissionControl", "FlowsInUse")).isEqualTo(2);
      assertThat(value("MissionControl", "FlowsWaiting")).isEqualTo(5);
      assertThat(value("MissionControl", "RequestsRefused")).isEqualTo(3L);
      assertThat(counters.all()).hasSameSizeAs(ServerCounter.values());
      for (Count count : counters.all()) {
        assertThat(value("MissionControl", count.name())).isEqualTo(count.value());
      }
    }
    assertThat(bean("MissionControl")).isFalse();
  }

  @Test
  void aNameThatIsTakenCostsTheMetricsAndNothingElse() throws Exception {
    MetricsRegistration first = stock();

    stock().close();

    assertThat(bean("ShuffleMetrics")).as("the first one's").isTrue();
    first.close();
    assertThat(bean("ShuffleMetrics")).isFalse();
    stock().close();
  }

  @Test
  void twoNodeManagersOfAMiniClusterUnregisterTheirOwn() throws Exception {
    DefaultMetricsSystem.setMiniClusterMode(true);
    MetricsRegistration first = stock();
    MetricsRegistration second = stock();
    MetricsSource firstSource = system.getSource("ShuffleMetrics");

    second.close();
    assertThat(system.getSource("ShuffleMetrics")).isSameAs(firstSource);
    assertThat(system.getSource("ShuffleMetrics-1")).isNull();

    first.close();
    assertThat(system.getSource("ShuffleMetrics")).isNull();
    assertThat(bean("ShuffleMetrics")).isFalse();
  }

  private MetricsRegistration stock() {
    return MetricsRegistration.of(system, StockMetrics.NAME, "d", new StockMetrics(counters));
  }

  private Object value(String bean, String attribute) throws Exception {
    return beans.getAttribute(name(bean), attribute);
  }

  private boolean bean(String bean) throws Exception {
    try {
      beans.getObjectInstance(name(bean));
      return true;
    } catch (InstanceNotFoundException e) {
      return false;
    }
  }

  private static ObjectName name(String bean) throws Exception {
    return new ObjectName("Hadoop:service=NodeManager,name=" + bean);
  }
}
