/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.conf.ThrottleConfig;
import org.missioncontrol.scheduler.security.JobSecrets;
import org.missioncontrol.transport.Channels;

/**
 * A host with a throttle controller whose clock stands until it is moved. Every job whose name does
 * not say {@code unknown} is known.
 */
public final class Node implements JobSecrets, AutoCloseable {
  public static final Channels CHANNELS = Channels.detect();
  public static final long LEASE_MAX_MS = 60_000;
  static final long GREETING_TIMEOUT_MS = 30_000;

  private static final String STANDSTILL = "job_of_standstill";

  private final AtomicLong nanos = new AtomicLong();
  private final CountDownLatch standstill = new CountDownLatch(1);
  private final Path localDir;
  private final ThrottleController controller;

  public Node(Path localDir, int budget) throws IOException {
    this(localDir, budget, "", GREETING_TIMEOUT_MS);
  }

  Node(Path localDir, int budget, Channels channels) throws IOException {
    this(localDir, budget, "", GREETING_TIMEOUT_MS, channels);
  }

  Node(Path localDir, int budget, String doorDirectory, long greetingTimeoutMs) throws IOException {
    this(localDir, budget, doorDirectory, greetingTimeoutMs, CHANNELS);
  }

  private Node(
      Path localDir, int budget, String doorDirectory, long greetingTimeoutMs, Channels channels)
      throws IOException {
    this.localDir = Files.createDirectories(localDir);
    this.controller =
        new ThrottleController(
                new ThrottleConfig(
                    budget,
                    LEASE_MAX_MS,
                    15_000,
                    false,
                    true,
                    doorDirectory,
                    List.of(localDir.toString())),
                this,
                channels,
                nanos::get,
                greetingTimeoutMs)
            .start();
  }

  public ThrottleController controller() {
    return controller;
  }

  public Path door() {
    return Objects.requireNonNull(controller.door());
  }

  public ThrottleSnapshot snapshot() {
    return controller.snapshot();
  }

  /** As once a second. */
  public void look() {
    controller.lookNow();
  }

  public void pass(long ms) {
    nanos.addAndGet(ms * 1_000_000);
  }

  /** The controller stands still, as in a long collection of garbage, until it is to go on. */
  public void standStill() throws IOException {
    try (RawTask stranger = new RawTask(door())) {
      stranger.say(
          "{'type':'hello','version':1,'job':'"
              + STANDSTILL
              + "','attempt':'attempt_1','nonce':'0'}");
    }
  }

  public void goOn() {
    standstill.countDown();
  }

  /** LOCAL_DIRS of a task here. */
  public String localDirs() {
    return localDir + "/usercache/alice/appcache/application_1_0001";
  }

  public static SecretKey secretOf(String job) {
    return new SecretKeySpec(("secret of " + job).getBytes(UTF_8), "HmacSHA1");
  }

  @Override
  public @Nullable SecretKey secret(String job) {
    if (job.equals(STANDSTILL)) {
      try {
        standstill.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return job.contains("unknown") ? null : secretOf(job);
  }

  @Override
  public @Nullable String user(String job) {
    return job.contains("unknown") ? null : "alice";
  }

  @Override
  public void close() throws IOException {
    goOn();
    controller.close();
  }
}
