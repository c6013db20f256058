/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.api.ApplicationInitializationContext;
import org.apache.hadoop.yarn.server.api.ApplicationTerminationContext;
import org.apache.hadoop.yarn.server.api.AuxiliaryService;

/**
 * Runs a shuffle service through the life that a NodeManager gives it, without a NodeManager. Owned
 * by one thread.
 */
public final class ServiceHost implements AutoCloseable {
  /** Class of the stock service. */
  public static final String STOCK = "org.apache.hadoop.mapred.ShuffleHandler";

  /** Class of ours. */
  public static final String OURS = "org.missioncontrol.shuffle.MissionControlShuffleHandler";

  private final AuxiliaryService service;

  private ServiceHost(AuxiliaryService service) {
    this.service = service;
  }

  /**
   * Starts a service.
   *
   * @param serviceClass {@link #OURS} or {@link #STOCK}
   * @param root the local directory lies below it
   * @param conf port 0 is any
   */
  public static ServiceHost start(String serviceClass, Path root, Configuration conf)
      throws IOException {
    Path local = Files.createDirectories(localDirectory(root));
    conf.set("yarn.nodemanager.local-dirs", local.toString());
    AuxiliaryService service;
    try {
      service =
          Class.forName(serviceClass)
              .asSubclass(AuxiliaryService.class)
              .getDeclaredConstructor()
              .newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IOException("cannot make a " + serviceClass, e);
    }
    service.setAuxiliaryLocalPathHandler(new LocalPaths(local));
    service.init(conf);
    service.start();
    return new ServiceHost(service);
  }

  /** The one local directory of a host. */
  public static Path localDirectory(Path root) {
    return root.resolve("local");
  }

  /** Where the service listens. */
  public int port() {
    return service.getMetaData().getInt();
  }

  /** What a NodeManager does for the first container of a job. */
  public void add(BenchJob job) throws IOException {
    service.initializeApplication(
        new ApplicationInitializationContext(BenchJob.USER, job.application(), job.serviceData()));
  }

  /** What a NodeManager does when a job has ended. */
  public void remove(BenchJob job) {
    service.stopApplication(new ApplicationTerminationContext(job.application()));
  }

  @Override
  public void close() {
    service.stop();
  }
}
