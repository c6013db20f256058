/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * Hadoop's local file system as it is with Hadoop's native library, which build machines seldom
 * have: without it each new file costs a process that runs chmod, and nothing else would be
 * measured. Thread-safe.
 */
public final class UnforkedFileSystem extends LocalFileSystem {
  /** Made by Hadoop. */
  public UnforkedFileSystem() {
    super(new Raw());
  }

  private static final class Raw extends RawLocalFileSystem {
    @Override
    public void setPermission(Path path, FsPermission permission) throws IOException {
      String symbols = permission.getUserAction().SYMBOL + permission.getGroupAction().SYMBOL;
      Files.setPosixFilePermissions(
          pathToFile(path).toPath(),
          PosixFilePermissions.fromString(symbols + permission.getOtherAction().SYMBOL));
    }
  }
}
