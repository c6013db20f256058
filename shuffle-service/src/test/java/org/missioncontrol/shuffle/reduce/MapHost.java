/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.crypto.SecretKey;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.mapred.SpillRecord;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.api.ApplicationInitializationContext;
import org.apache.hadoop.yarn.server.api.AuxiliaryLocalPathHandler;
import org.missioncontrol.conf.ServerConfig;
import org.missioncontrol.scheduler.security.JobSecrets;
import org.missioncontrol.shuffle.server.ProxiedServer;
import org.missioncontrol.shuffle.server.ServerEvents;
import org.missioncontrol.shuffle.store.LocalMapOutputStore;

/** A host with the outputs of the fixture's job on its disk, served by our handler or stock's. */
final class MapHost implements AutoCloseable {
  private static final String USER = "alice";
  private static final ApplicationId APP = ApplicationId.newInstance(1700000000000L, 1);

  private interface Stopping {
    void stop();
  }

  private final int port;
  private final Stopping stopping;

  private MapHost(int port, Stopping stopping) {
    this.port = port;
    this.stopping = stopping;
  }

  /**
   * @param knownPort of the proxy in front
   */
  static MapHost ours(
      Path root, Segments segments, int maps, int knownPort, ServerEvents events, String... conf)
      throws Exception {
    write(root, segments, maps);
    Configuration settings = new Configuration(false);
    for (int i = 0; i < conf.length; i += 2) {
      settings.set(conf[i], conf[i + 1]);
    }
    ServerConfig config = ServerConfig.from(settings);
    ProxiedServer server =
        new ProxiedServer(
            config,
            new OneJob(),
            new LocalMapOutputStore(config, root::resolve, job -> true),
            events,
            knownPort);
    return new MapHost(server.port(), server::close);
  }

  static MapHost stock(Path root, Segments segments, int maps) throws Exception {
    write(root, segments, maps);
    DefaultMetricsSystem.setMiniClusterMode(true);
    ShuffleHandler handler = new ShuffleHandler();
    handler.setAuxiliaryLocalPathHandler(new Paths(root));
    Configuration conf = new Configuration();
    conf.setInt("mapreduce.shuffle.port", 0);
    conf.setInt("mapreduce.shuffle.max.threads", 2);
    handler.init(conf);
    handler.start();
    Token<JobTokenIdentifier> token =
        new Token<>(
            new byte[] {1},
            ReducerFixture.SECRET.getEncoded(),
            new Text("mapreduce.job"),
            new Text("service"));
    handler.initializeApplication(
        new ApplicationInitializationContext(
            USER, APP, ShuffleHandler.serializeServiceData(token)));
    ByteBuffer metaData = handler.getMetaData();
    return new MapHost(ShuffleHandler.deserializeMetaData(metaData), handler::stop);
  }

  /** Partition {@link ReducerFixture#REDUCE} has the bytes, those before it none. */
  private static void write(Path root, Segments segments, int maps) throws IOException {
    for (int map = 0; map < maps; map++) {
      Path directory =
          Files.createDirectories(
              root.resolve("usercache/" + USER + "/appcache/" + APP + "/output")
                  .resolve(ReducerFixture.attempt(map).id()));
      Segments.Segment segment = segments.of(map);
      SpillRecord index = new SpillRecord(ReducerFixture.REDUCE + 1);
      for (int before = 0; before < ReducerFixture.REDUCE; before++) {
        index.putIndex(new IndexRecord(0, 0, 0), before);
      }
      index.putIndex(
          new IndexRecord(0, segment.rawLength(), segment.bytes().length), ReducerFixture.REDUCE);
      Files.write(directory.resolve("file.out"), segment.bytes());
      index.writeToFile(
          new org.apache.hadoop.fs.Path(directory.resolve("file.out.index").toString()),
          new JobConf(new Configuration(false)));
    }
  }

  int port() {
    return port;
  }

  @Override
  public void close() {
    stopping.stop();
  }

  private static final class OneJob implements JobSecrets {
    private static final String JOB = "job_1700000000000_0001";

    @Override
    public SecretKey secret(String job) {
      return job.equals(JOB) ? ReducerFixture.SECRET : null;
    }

    @Override
    public String user(String job) {
      return job.equals(JOB) ? USER : null;
    }
  }

  private record Paths(Path root) implements AuxiliaryLocalPathHandler {
    @Override
    public org.apache.hadoop.fs.Path getLocalPathForRead(String path) {
      return new org.apache.hadoop.fs.Path(root.resolve(path).toString());
    }

    @Override
    public org.apache.hadoop.fs.Path getLocalPathForWrite(String path) {
      throw new UnsupportedOperationException(path);
    }

    @Override
    public org.apache.hadoop.fs.Path getLocalPathForWrite(String path, long size) {
      throw new UnsupportedOperationException(path);
    }

    @Override
    public Iterable<org.apache.hadoop.fs.Path> getAllLocalPathsForRead(String path) {
      throw new UnsupportedOperationException(path);
    }
  }
}
