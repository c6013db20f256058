/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle;

import java.nio.ByteBuffer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.api.ApplicationInitializationContext;
import org.apache.hadoop.yarn.server.api.ApplicationTerminationContext;
import org.apache.hadoop.yarn.server.api.AuxiliaryService;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.conf.ServerConfig;
import org.missioncontrol.conf.ThrottleConfig;
import org.missioncontrol.shuffle.nm.ShuffleNode;

/**
 * The NodeManager's auxiliary service {@code mapreduce_shuffle} in stock's place: serves map
 * outputs as Hadoop's ShuffleHandler does, and runs the host's throttle controller. Thread-safe;
 * the NodeManager calls it on its dispatcher thread, which it never holds up.
 */
public final class MissionControlShuffleHandler extends AuxiliaryService {
  /** The only name that MapReduce's ApplicationMaster and tasks know. */
  public static final String NAME = "mapreduce_shuffle";

  private @Nullable ServerConfig server;
  private @Nullable ThrottleConfig throttle;
  private volatile @Nullable ShuffleNode node;

  /** Called by the NodeManager. */
  public MissionControlShuffleHandler() {
    super(NAME);
  }

  @Override
  protected void serviceInit(Configuration conf) throws Exception {
    server = ServerConfig.from(conf);
    throttle = ThrottleConfig.from(conf);
    super.serviceInit(conf);
  }

  @Override
  protected void serviceStart() throws Exception {
    if (server != null && throttle != null) {
      node =
          ShuffleNode.start(
              getConfig(), server, throttle, getRecoveryPath(), getAuxiliaryLocalPathHandler());
    }
    super.serviceStart();
  }

  @Override
  protected void serviceStop() throws Exception {
    ShuffleNode running = node;
    node = null;
    if (running != null) {
      running.close();
    }
    super.serviceStop();
  }

  /** Once for each container of a job, not once for a job. */
  @Override
  public void initializeApplication(ApplicationInitializationContext context) {
    ShuffleNode running = node;
    if (running != null) {
      running.addJob(
          context.getUser(), context.getApplicationId(), context.getApplicationDataForService());
    }
  }

  /** For every application of the NodeManager, also for those that were never initialised. */
  @Override
  public void stopApplication(ApplicationTerminationContext context) {
    ShuffleNode running = node;
    if (running != null) {
      running.removeJob(context.getApplicationId());
    }
  }

  /** The port, as stock writes it; null unless the service runs. */
  @Override
  public @Nullable ByteBuffer getMetaData() {
    ShuffleNode running = node;
    return running == null ? null : running.metaData();
  }
}
