/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.api.AuxiliaryLocalPathHandler;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.conf.AdminRules;
import org.missioncontrol.conf.ServerConfig;
import org.missioncontrol.conf.SharingConfig;
import org.missioncontrol.conf.ThrottleConfig;
import org.missioncontrol.shuffle.server.ShuffleServer;
import org.missioncontrol.shuffle.status.StatusSite;
import org.missioncontrol.shuffle.store.LocalMapOutputStore;
import org.missioncontrol.shuffle.store.MapOutputStore;
import org.missioncontrol.shuffle.store.PartitionTally;
import org.missioncontrol.shuffle.store.PassableOutput;
import org.missioncontrol.shuffle.throttle.MapFiles.MapFile;
import org.missioncontrol.shuffle.throttle.ThrottleController;
import org.missioncontrol.transport.Channels;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Everything that the shuffle service runs in one NodeManager. Thread-safe. */
public final class ShuffleNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ShuffleNode.class);

  private final Opened opened;
  private final JobRegistry jobs;
  private final MapOutputStore outputs;
  private final HostTransfers host;
  private final ControlDesk desk;
  private final ShuffleServer server;

  private ShuffleNode(
      Opened opened,
      JobRegistry jobs,
      MapOutputStore outputs,
      HostTransfers host,
      ControlDesk desk,
      ShuffleServer server) {
    this.opened = opened;
    this.jobs = jobs;
    this.outputs = outputs;
    this.host = host;
    this.desk = desk;
    this.server = server;
  }

  /**
   * Recovers the jobs, opens the throttle controller and then the port.
   *
   * @param recoveryRoot where the NodeManager lets the service keep its state, or null
   * @param paths null in a service with its own class path
   * @throws Exception if something cannot be opened; nothing is left open then
   */
  public static ShuffleNode start(
      Configuration conf,
      ServerConfig serverConfig,
      ThrottleConfig throttleConfig,
      @Nullable Path recoveryRoot,
      @Nullable AuxiliaryLocalPathHandler paths)
      throws Exception {
    Opened opened = new Opened();
    try {
      return open(conf, serverConfig, throttleConfig, recoveryRoot, paths, opened);
    } catch (Throwable e) {
      try {
        opened.close();
      } catch (IOException more) {
        e.addSuppressed(more);
      }
      throw e;
    }
  }

  /** In this order, so that a stop, in the reverse one, never takes away what another uses. */
  private static ShuffleNode open(
      Configuration conf,
      ServerConfig serverConfig,
      ThrottleConfig throttleConfig,
      @Nullable Path recoveryRoot,
      @Nullable AuxiliaryLocalPathHandler paths,
      Opened opened)
      throws Exception {
    JobRegistry jobs = recoverJobs(recoveryRoot, opened);
    Tls tls = serverConfig.sslEnabled() ? opened.add(Tls.open(conf)) : null;
    Channels channels = Channels.detect();
    MapOutputStore outputs =
        new LocalMapOutputStore(
            serverConfig,
            NodeManagerPaths.of(paths, throttleConfig.localDirs()),
            job -> jobs.user(job) != null);
    ThrottleController throttle =
        opened.add(new ThrottleController(throttleConfig, jobs, channels, System::nanoTime));
    SharingConfig sharing = SharingConfig.from(conf);
    throttle.share(sharing.policy(), AdminRules.NONE);
    RulesWatch rules = RulesWatch.start(sharing, r -> throttle.share(sharing.policy(), r));
    if (rules != null) {
      opened.add(rules);
    }
    throttle.start();
    HostTransfers host =
        new HostTransfers(
            throttle, opened.add(new PartitionTally(throttleConfig.localDirs(), System::nanoTime)));
    ControlDesk desk =
        opened.add(
            new ControlDesk(
                conf, serverConfig.maxConnections(), channels.capabilities(), jobs, host));
    Counters counters = new Counters();
    Status status = new Status(channels, jobs, throttle, rules, counters, System::nanoTime);
    ControlRouter router =
        new ControlRouter(
            new StatusSite(serverConfig.statusEnabled() ? status : null),
            desk::transfer,
            desk::order);
    ShuffleServer server =
        opened.add(
            ShuffleServer.start(serverConfig, channels, jobs, outputs, router, counters, tls));
    throttle.passFiles(
        (job, attempt, reduce) -> mapFile(jobs, outputs, job, attempt, reduce), server.port());
    desk.serving(server.port());
    status.serving(server);
    registerMetrics(counters, status, opened);
    LOG.info("mapreduce_shuffle {}", status.line());
    return new ShuffleNode(opened, jobs, outputs, host, desk, server);
  }

  /** The checks are those of what is sent: the job is known here, and the file is its user's. */
  private static MapFile mapFile(
      JobRegistry jobs, MapOutputStore outputs, String job, String attempt, int reduce)
      throws IOException {
    String user = jobs.user(job);
    if (user == null) {
      throw new IOException(job + " has ended here");
    }
    PassableOutput output = PassableOutput.open(outputs, job, user, attempt, reduce);
    return new MapFile(output.file(), output.segment().partLength(), output.segment().rawLength());
  }

  private static JobRegistry recoverJobs(@Nullable Path root, Opened opened) throws IOException {
    if (root == null) {
      return new JobRegistry(null);
    }
    RecoveryStore store = opened.add(RecoveryStore.open(new File(root.toUri().getPath())));
    JobRegistry jobs = new JobRegistry(store);
    LOG.info("{} jobs may go on shuffling, by {}", jobs.recover(), store);
    return jobs;
  }

  private static void registerMetrics(Counters counters, Status status, Opened opened) {
    MetricsSystem metrics = DefaultMetricsSystem.instance();
    opened.add(
        MetricsRegistration.of(
            metrics, StockMetrics.NAME, "Shuffle output metrics", new StockMetrics(counters)));
    opened.add(
        MetricsRegistration.of(
            metrics,
            FlowMetrics.NAME,
            "Flows, and what the shuffle server counts",
            new FlowMetrics(status::flows, status::counts)));
  }

  /**
   * Lets a job shuffle; may be called again.
   *
   * @param serviceData job token as stock's ApplicationMaster sends it
   */
  public void addJob(String user, ApplicationId app, @Nullable ByteBuffer serviceData) {
    String job = jobId(app);
    try {
      if (jobs.add(new StoredJob(job, user, ServiceData.token(serviceData)))) {
        LOG.info("{} of {} may shuffle", job, user);
      }
    } catch (IOException | IllegalArgumentException e) {
      LOG.error("{} of {} cannot be registered or stored: {}", job, user, e.getMessage(), e);
    }
  }

  /** Forgets a job, known or not. */
  public void removeJob(ApplicationId app) {
    String job = jobId(app);
    try {
      jobs.remove(job);
    } catch (IOException e) {
      LOG.error("{} will come back at the next restart: {}", job, e.getMessage(), e);
    }
    desk.forget(job);
    host.jobEnded(job);
    // After it is known no more.
    outputs.forget(job);
  }

  /** What stock's ApplicationMaster and tasks read the port from. */
  public ByteBuffer metaData() {
    return ServiceData.port(server.port());
  }

  @Override
  public void close() throws IOException {
    opened.close();
  }

  private static String jobId(ApplicationId app) {
    return new JobID(Long.toString(app.getClusterTimestamp()), app.getId()).toString();
  }
}
