/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.ssl.SSLFactory;
import org.apache.hadoop.util.ShutdownHookManager;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.conf.JobGraphConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The door of this package: starts the controller of an ApplicationMaster. Immutable. */
public final class Controllers {
  private static final Logger LOG = LoggerFactory.getLogger(Controllers.class);

  /** Above that of MRAppMaster, 30, so that NodeManagers hear from us while its services run. */
  private static final int SHUTDOWN_PRIORITY = 40;

  private Controllers() {}

  /**
   * Starts a controller that ends with the job or with the JVM. Throws nothing: without it a job
   * runs as one of weight 1.
   */
  public static void start(@Nullable Configuration conf, AppContext context) {
    try {
      if (!(conf instanceof JobConf jobConf)) {
        LOG.warn("No JobConf was given, so no shuffle secret: the job is not announced");
        return;
      }
      launch(jobConf, context);
    } catch (IOException | GeneralSecurityException | RuntimeException | LinkageError e) {
      LOG.warn("The controller cannot start; the job runs on and is not announced", e);
    }
  }

  private static void launch(JobConf conf, AppContext context)
      throws IOException, GeneralSecurityException {
    Complaints complaints = new Complaints(LOG);
    JobSettings settings = JobSettings.from(conf, LOG::warn);
    Credentials credentials = conf.getCredentials();
    SSLFactory ssl = settings.am().sslEnabled() ? clientSsl(conf) : null;
    HttpExchange exchange = new HttpExchange(ssl);
    SequenceNumbers sequences =
        new SequenceNumbers(
            context.getApplicationAttemptId().getAttemptId(), System.currentTimeMillis());
    ControlClient client =
        new ControlClient(
            exchange,
            sequences,
            () -> ShuffleSecret.of(credentials),
            settings.am().callTimeoutMs());
    JobReader reader = new JobReader(context, JobGraphConfig.from(conf), complaints);
    Hook hook = new Hook(ssl);
    MissionController controller =
        new MissionController(reader::look, settings, client, complaints, hook::ended);
    hook.install(controller, settings.am().callTimeoutMs() + 1000L);
    controller.start();
  }

  private static SSLFactory clientSsl(Configuration conf)
      throws IOException, GeneralSecurityException {
    SSLFactory ssl = new SSLFactory(SSLFactory.Mode.CLIENT, conf);
    ssl.init();
    return ssl;
  }

  /** Ends the controller with the JVM, and itself with the controller. Thread-safe. */
  private static final class Hook implements Runnable {
    private final @Nullable SSLFactory ssl;
    private volatile @Nullable MissionController controller;

    Hook(@Nullable SSLFactory ssl) {
      this.ssl = ssl;
    }

    void install(MissionController started, long timeoutMs) {
      controller = started;
      ShutdownHookManager.get()
          .addShutdownHook(this, SHUTDOWN_PRIORITY, timeoutMs, TimeUnit.MILLISECONDS);
    }

    @Override
    public void run() {
      MissionController running = controller;
      if (running != null) {
        running.close();
      }
    }

    void ended() {
      if (ssl != null) {
        ssl.destroy();
      }
      if (!ShutdownHookManager.get().isShutdownInProgress()) {
        ShutdownHookManager.get().removeShutdownHook(this);
      }
    }
  }
}
