/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.conf.AdminRules;
import org.missioncontrol.conf.RulesFile;
import org.missioncontrol.conf.SharingConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks each second whether the administrator's rules have changed, on a thread of its own, since a
 * file may be slow to answer. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of the looking, which ends with its thread
final class RulesWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RulesWatch.class);
  private static final long INTERVAL_MS = 1_000;

  private final RulesFile file;
  private final Consumer<AdminRules> onNewRules;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(RulesWatch::daemon);

  private RulesWatch(RulesFile file, Consumer<AdminRules> onNewRules) {
    this.file = file;
    this.onNewRules = onNewRules;
  }

  /** Looks once, then now and then; null where no file is configured. */
  static @Nullable RulesWatch start(SharingConfig config, Consumer<AdminRules> onNewRules) {
    if (config.rulesFile().isEmpty()) {
      return null;
    }
    RulesWatch watch = new RulesWatch(new RulesFile(Path.of(config.rulesFile())), onNewRules);
    watch.look();
    watch.thread.scheduleWithFixedDelay(
        watch::look, INTERVAL_MS, INTERVAL_MS, TimeUnit.MILLISECONDS);
    return watch;
  }

  /** Where the rules are. */
  String path() {
    return file.path().toString();
  }

  /** Why the file as it is now is not in force, or null if it is. */
  @Nullable String problem() {
    return file.problem();
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }

  private void look() {
    try {
      switch (file.look()) {
        case NEW_RULES -> {
          LOG.info("the rules of {} are in force", file.path());
          onNewRules.accept(file.rules());
        }
        case NEW_PROBLEM -> LOG.warn("{}; the last good rules stay in force", file.problem());
        case NOTHING_NEW -> {}
      }
    } catch (RuntimeException e) {
      // An exception would end the looking for good.
      LOG.error("{} is not looked at this time", file.path(), e);
    }
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "mission-control-rules");
    thread.setDaemon(true);
    return thread;
  }
}
