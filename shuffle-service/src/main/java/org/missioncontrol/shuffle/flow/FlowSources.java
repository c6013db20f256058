/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.flow;

import io.netty.channel.EventLoopGroup;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.conf.FetchConfig;
import org.missioncontrol.shuffle.door.DoorPointer;
import org.missioncontrol.transport.Channels;
import org.missioncontrol.transport.Transport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the flow source that a reducer should use. Immutable. */
public final class FlowSources {
  private static final Logger LOG = LoggerFactory.getLogger(FlowSources.class);

  private FlowSources() {}

  /**
   * The NodeManager's door where there is one, plain sockets otherwise; returns at once. Flows run
   * on {@code loops}, which stay the caller's and must outlive the source.
   *
   * @param task who asks
   * @param localDirs value of the task's environment variable LOCAL_DIRS, which leads to the door;
   *     null: no door is looked for
   * @param transport wanted for this end of each connection
   * @param config of it are used: parallelCopies (limit of plain sockets), connectTimeoutMs,
   *     leasesEnabled, doorTimeoutMs, localFilesTimeoutMs
   * @param counters counts what was opened
   */
  public static FlowSource open(
      Channels channels,
      EventLoopGroup loops,
      TaskIdentity task,
      @Nullable String localDirs,
      Transport transport,
      FetchConfig config,
      FlowCounters counters) {
    Supplier<FlowSource> plain =
        () ->
            new PlainFlowSource(
                channels,
                loops,
                transport,
                config.parallelCopies(),
                config.connectTimeoutMs(),
                counters);
    if (!config.leasesEnabled() || localDirs == null || !channels.epoll()) {
      LOG.info(
          "{} opens plain connections: {}",
          task.attempt(),
          config.leasesEnabled() ? "no epoll or no LOCAL_DIRS here" : "leases are disabled");
      return plain.get();
    }
    return new DoorFlowSource(
        loops,
        () -> DoorPointer.find(localDirs),
        task,
        transport,
        new DoorFlowSource.Timeouts(
            config.connectTimeoutMs(), config.doorTimeoutMs(), config.localFilesTimeoutMs()),
        plain,
        counters);
  }
}
