/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.host;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.server.api.AuxiliaryLocalPathHandler;

/** One local directory. Immutable. */
final class LocalPaths implements AuxiliaryLocalPathHandler {
  private final java.nio.file.Path directory;

  LocalPaths(java.nio.file.Path directory) {
    this.directory = directory;
  }

  @Override
  public Path getLocalPathForRead(String path) throws IOException {
    java.nio.file.Path file = directory.resolve(path);
    if (!java.nio.file.Files.exists(file)) {
      throw new IOException("no " + path + " in " + directory);
    }
    return new Path(file.toString());
  }

  @Override
  public Path getLocalPathForWrite(String path) {
    return new Path(directory.resolve(path).toString());
  }

  @Override
  public Path getLocalPathForWrite(String path, long size) {
    return getLocalPathForWrite(path);
  }

  @Override
  public Iterable<Path> getAllLocalPathsForRead(String path) throws IOException {
    return List.of(getLocalPathForRead(path));
  }
}
