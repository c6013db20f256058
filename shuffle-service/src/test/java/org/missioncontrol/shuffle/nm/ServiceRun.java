/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.yarn.server.api.ApplicationInitializationContext;
import org.apache.hadoop.yarn.server.api.ApplicationTerminationContext;
import org.apache.hadoop.yarn.server.api.AuxiliaryService;
import org.missioncontrol.shuffle.MissionControlShuffleHandler;

/** An auxiliary service, ours or stock's, run as a NodeManager runs it, for tests. */
final class ServiceRun implements AutoCloseable {
  final AuxiliaryService service;

  private ServiceRun(AuxiliaryService service) {
    this.service = service;
  }

  static ServiceRun ours(Path root, Configuration conf) {
    return start(new MissionControlShuffleHandler(), root, conf);
  }

  static ServiceRun ours(Path root) {
    return ours(root, conf(root));
  }

  static ServiceRun stock(Path root) {
    return start(new ShuffleHandler(), root, conf(root));
  }

  /** Port 0, one local directory, and as few threads as there can be. */
  static Configuration conf(Path root) {
    Configuration conf = new Configuration();
    conf.set("yarn.nodemanager.local-dirs", root.resolve("local").toString());
    conf.setInt("mapreduce.shuffle.port", 0);
    conf.setInt("mapreduce.shuffle.max.threads", 2);
    conf.setInt("mission-control.server.disk-threads", 2);
    return conf;
  }

  static ServiceRun start(AuxiliaryService service, Path root, Configuration conf) {
    try {
      service.setAuxiliaryLocalPathHandler(outputs(root));
      service.setRecoveryPath(
          new org.apache.hadoop.fs.Path(
              Files.createDirectories(root.resolve("recovery")).toString()));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    service.init(conf);
    service.start();
    return new ServiceRun(service);
  }

  static MapOutputs outputs(Path root) throws IOException {
    return new MapOutputs(Files.createDirectories(root.resolve("local")));
  }

  int port() throws IOException {
    return ShuffleHandler.deserializeMetaData(service.getMetaData());
  }

  StockClient client() throws IOException {
    return new StockClient(port());
  }

  /** What a NodeManager does for the first and for every other container of the job. */
  void addAlice() throws IOException {
    service.initializeApplication(
        new ApplicationInitializationContext(
            Jobs.USER, Jobs.APP, ShuffleHandler.serializeServiceData(Jobs.token(Jobs.SECRET))));
  }

  void stopAlice() {
    service.stopApplication(new ApplicationTerminationContext(Jobs.APP));
  }

  @Override
  public void close() {
    service.stop();
  }
}
