/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.crypto.SecretKey;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.app.rm.preemption.AMPreemptionPolicy;
import org.apache.hadoop.util.ReflectionUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.missioncontrol.conf.Keys;
import org.missioncontrol.scheduler.MissionControlAmPlugin;
import org.missioncontrol.scheduler.control.ControlServer;
import org.missioncontrol.scheduler.control.ControlServers;
import org.missioncontrol.scheduler.control.RecordingRegistry;
import org.missioncontrol.scheduler.control.Secrets;

/** The plug-in as an ApplicationMaster makes and calls it. */
class MissionControlAmPluginTest {
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  private final JobConf conf = new JobConf(false);

  @Test
  void everyCallGoesToThePolicyThatTheJobNames() {
    conf.set(Keys.Am.DELEGATE_POLICY_KEY, RecordingPolicy.class.getName());
    RecordingPolicy.told();
    AMPreemptionPolicy plugin = plugin(conf);
    plugin.init(FakeApp.hostile(new IllegalStateException("hostile")));
    plugin.preempt(null, null);
    assertThat(plugin.isPreempted(null)).isTrue();
    plugin.reportSuccessfulPreemption(null);
    plugin.handleFailedContainer(null);
    plugin.handleCompletedContainer(null);
    plugin.getCheckpointID(null);
    plugin.setCheckpointID(null, null);
    assertThat(RecordingPolicy.told())
        .containsExactly(
            "init true",
            "preempt",
            "isPreempted",
            "reportSuccessfulPreemption",
            "handleFailedContainer",
            "handleCompletedContainer",
            "getCheckpointID",
            "setCheckpointID");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "no.such.Policy",
        "java.lang.String",
        "org.missioncontrol.scheduler.MissionControlAmPlugin",
      })
  void withoutAUsablePolicyNothingIsPreempted(String name) {
    conf.set(Keys.Am.DELEGATE_POLICY_KEY, name);
    AMPreemptionPolicy plugin = plugin(conf);
    plugin.init(FakeApp.hostile(new NullPointerException()));
    assertThat(plugin.isPreempted(null)).isFalse();
  }

  @Test
  void aConfigurationWithoutCredentialsHarmsNothing() {
    plugin(new Configuration(false)).init(new FakeApp().context());
    assertThat(controllerThreads()).isZero();
  }

  @Test
  void theJobIsAnnouncedWithItsShuffleSecretUntilItEnds() throws Exception {
    byte[] secret = "of the shuffle".getBytes(StandardCharsets.UTF_8);
    TokenCache.setShuffleSecretKey(secret, conf.getCredentials());
    conf.setLong(Keys.Am.POLL_INTERVAL_MS_KEY, 10);
    SecretKey key = ShuffleSecret.of(conf.getCredentials());
    RecordingRegistry registry = new RecordingRegistry();
    ControlServer server = ControlServers.of(new Secrets().with(FakeApp.JOB, key), registry);
    FakeApp app = new FakeApp();
    try (FakeNodeManager nodeManager = new FakeNodeManager(server::handle)) {
      app.reduce("127.0.0.1:8042", nodeManager.node().port(), TaskAttemptState.RUNNING);
      plugin(conf).init(app.context());
      await().atMost(DEADLINE).until(() -> !registry.announced().isEmpty());
      app.state(JobState.SUCCEEDED);
      await().atMost(DEADLINE).until(() -> registry.withdrawn().contains(FakeApp.JOB));
      await().atMost(DEADLINE).until(() -> controllerThreads() == 0);
    } finally {
      app.state(JobState.SUCCEEDED);
    }
  }

  private static AMPreemptionPolicy plugin(Configuration conf) {
    return ReflectionUtils.newInstance(MissionControlAmPlugin.class, conf);
  }

  private static long controllerThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("mission-control"))
        .count();
  }
}
