/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.flow;

import io.netty.channel.EventLoop;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Work for one event loop, from any thread. Immutable. */
final class LoopTasks {
  private static final Logger LOG = LoggerFactory.getLogger(LoopTasks.class);

  private LoopTasks() {}

  /** At once when on the loop already; false if the loop is gone, and everything with it. */
  static boolean run(EventLoop loop, Runnable task) {
    try {
      if (loop.inEventLoop()) {
        task.run();
      } else {
        loop.execute(task);
      }
      return true;
    } catch (RejectedExecutionException e) {
      LOG.debug("the event loop is gone", e);
      return false;
    }
  }
}
