/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.api.ApplicationInitializationContext;
import org.apache.hadoop.yarn.server.api.AuxiliaryLocalPathHandler;

/** Hadoop's own ShuffleHandler, serving the same files to the same job. */
final class StockServer implements AutoCloseable {
  private final ShuffleHandler handler;

  StockServer(Configuration conf, MapOutputs outputs) throws IOException {
    DefaultMetricsSystem.setMiniClusterMode(true);
    handler = new ShuffleHandler();
    handler.setAuxiliaryLocalPathHandler(new Paths(outputs));
    handler.init(conf);
    handler.start();
    Token<JobTokenIdentifier> token =
        new Token<>(
            new byte[] {1}, Secrets.PASSWORD, new Text("mapreduce.job"), new Text("the service"));
    handler.initializeApplication(
        new ApplicationInitializationContext(
            MapOutputs.USER,
            ApplicationId.newInstance(1111111111111L, 1),
            ShuffleHandler.serializeServiceData(token)));
  }

  int port() throws IOException {
    ByteBuffer metaData = handler.getMetaData();
    return ShuffleHandler.deserializeMetaData(metaData);
  }

  @Override
  public void close() {
    handler.stop();
  }

  private record Paths(MapOutputs outputs) implements AuxiliaryLocalPathHandler {
    @Override
    public Path getLocalPathForRead(String path) throws IOException {
      return new Path(outputs.find(path).toString());
    }

    @Override
    public Path getLocalPathForWrite(String path) throws IOException {
      throw new IOException("not for writing");
    }

    @Override
    public Path getLocalPathForWrite(String path, long size) throws IOException {
      throw new IOException("not for writing");
    }

    @Override
    public Iterable<Path> getAllLocalPathsForRead(String path) throws IOException {
      return java.util.List.of(getLocalPathForRead(path));
    }
  }
}
