/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Directories of one cluster under its work directory. Immutable.
 *
 * @param work absolute
 * @param paths where the jars are
 */
record Layout(Path work, ClassPaths paths) {
  /** Makes the directories and links Hadoop's jars into one, so that class paths are short. */
  void create() throws IOException {
    Files.createDirectories(work);
    try (Stream<Path> present = Files.list(work)) {
      if (present.findAny().isPresent()) {
        throw new IOException("the cluster's work directory is not empty: " + work);
      }
    }
    Files.createDirectories(lib());
    for (Path jar : paths.hadoop()) {
      Files.createSymbolicLink(lib().resolve(jar.getFileName()), jar);
    }
  }

  Path lib() {
    return work.resolve("lib");
  }

  Path clientConf() {
    return work.resolve("conf");
  }

  Path daemon(String name) {
    return work.resolve(name);
  }

  /** Local path where map outputs of a NodeManager lie. */
  Path nodeLocal(int node) {
    return daemon("nm" + node).resolve("local");
  }

  Path nodeLogs(int node) {
    return daemon("nm" + node).resolve("container-logs");
  }

  String daemonClassPath(List<Path> more) {
    return Stream.concat(Stream.of(lib().resolve("*"), paths.bench()), more.stream())
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Removes everything; daemons must be gone. */
  void delete() throws IOException {
    if (!Files.exists(work)) {
      return;
    }
    try (Stream<Path> all = Files.walk(work)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
