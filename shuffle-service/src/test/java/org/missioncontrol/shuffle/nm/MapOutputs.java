/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.SpillRecord;
import org.apache.hadoop.yarn.server.api.AuxiliaryLocalPathHandler;

/** Map outputs of {@link Jobs#alice()} below one local directory, for tests. */
final class MapOutputs implements AuxiliaryLocalPathHandler {
  private final Path localDir;

  MapOutputs(Path localDir) {
    this.localDir = localDir;
  }

  /** Writes file.out and file.out.index with one partition for each text. */
  Path write(String attempt, String... partitions) throws IOException {
    Path directory =
        Files.createDirectories(
            localDir
                .resolve("usercache/" + Jobs.USER + "/appcache/" + Jobs.APP + "/output")
                .resolve(attempt));
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    SpillRecord index = new SpillRecord(partitions.length);
    for (int i = 0; i < partitions.length; i++) {
      byte[] bytes = partitions[i].getBytes(UTF_8);
      index.putIndex(new IndexRecord(data.size(), bytes.length, bytes.length), i);
      data.write(bytes);
    }
    Files.write(directory.resolve("file.out"), data.toByteArray());
    index.writeToFile(
        new org.apache.hadoop.fs.Path(directory.resolve("file.out.index").toString()),
        new JobConf(new Configuration(false)));
    return directory;
  }

  @Override
  public org.apache.hadoop.fs.Path getLocalPathForRead(String path) throws IOException {
    Path file = localDir.resolve(path);
    if (!Files.exists(file)) {
      throw new IOException("Could not find " + path);
    }
    return new org.apache.hadoop.fs.Path(file.toString());
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
