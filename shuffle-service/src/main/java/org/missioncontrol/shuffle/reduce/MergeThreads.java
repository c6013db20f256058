/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.io.IOException;
import java.security.PrivilegedAction;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Makes threads that act as the task's user, also those that Hadoop's merge starts in its
 * constructor: these share a thread group, by which they can be stopped when the shuffle fails (the
 * merge itself ends them only together with a final merge). Thread-safe.
 */
final class MergeThreads {
  private final ThreadGroup group = new ThreadGroup("mission-control-merge");
  private final UserGroupInformation user;

  MergeThreads() throws IOException {
    user = UserGroupInformation.getCurrentUser();
  }

  /** A daemon thread that runs {@code work} as the task's user. */
  Thread newThread(String name, Runnable work) {
    Thread thread = new Thread(() -> asUser(work), name);
    thread.setDaemon(true);
    return thread;
  }

  private void asUser(Runnable work) {
    user.doAs(
        (PrivilegedAction<Boolean>)
            () -> {
              work.run();
              return true;
            });
  }

  /** Calls {@code maker} so that the threads it starts belong to the group. */
  <T> T startIn(Callable<T> maker) throws IOException, InterruptedException {
    FutureTask<T> made = new FutureTask<>(maker);
    Thread starter = new Thread(group, () -> asUser(made), "mission-control-merge-starter");
    starter.setDaemon(true);
    starter.start();
    try {
      return made.get();
    } catch (ExecutionException e) {
      throw new IOException("cannot start the merge: " + e.getCause(), e.getCause());
    }
  }

  /** Interrupts the threads that were started in the group. */
  void stop() {
    group.interrupt();
  }
}
