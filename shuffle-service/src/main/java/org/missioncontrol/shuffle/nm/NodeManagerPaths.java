/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import java.io.FileNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.yarn.server.api.AuxiliaryLocalPathHandler;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.store.LocalPaths;

/** Finds files below the NodeManager's local directories. Thread-safe. */
final class NodeManagerPaths {
  private NodeManagerPaths() {}

  /**
   * Asks the NodeManager, which knows its bad disks; looks into every directory where it gave us no
   * handler (a service with its own class path gets none).
   *
   * @param localDirs value of {@code yarn.nodemanager.local-dirs}, as paths
   */
  static LocalPaths of(@Nullable AuxiliaryLocalPathHandler handler, List<String> localDirs) {
    if (handler != null) {
      return relative -> Path.of(handler.getLocalPathForRead(relative).toUri().getPath());
    }
    List<Path> directories = localDirs.stream().map(Path::of).toList();
    return relative ->
        directories.stream()
            .map(directory -> directory.resolve(relative))
            .filter(Files::isRegularFile)
            .findFirst()
            .orElseThrow(
                () -> new FileNotFoundException("no " + relative + " in any of " + directories));
  }
}
