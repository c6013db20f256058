/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.cluster;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
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
 * @param origin where the build put the jars
 * @param paths where the cluster takes them from
 */
record Layout(Path work, ClassPaths origin, ClassPaths paths) {
  private static final int DELETE_ATTEMPTS = 20;

  /** Takes our own classes from a copy, so that a build does not disturb a running cluster. */
  static Layout of(Path work, ClassPaths found) {
    return new Layout(work, found, found.movedTo(work.resolve("ours")));
  }

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
    copy(origin.missionControl(), paths.missionControl());
    copy(origin.bench(), paths.bench());
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

  private static void copy(Path from, Path to) throws IOException {
    if (!Files.exists(from)) {
      throw new IOException("missing: " + from + "; run: mvn -DskipTests package");
    }
    Files.createDirectories(to.resolveSibling(""));
    try (Stream<Path> all = Files.walk(from)) {
      for (Path path : all.toList()) {
        Files.copy(path, to.resolve(from.relativize(path).toString()));
      }
    }
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

  /** The same while a client's thread may still write; says on standard error what is left. */
  void deleteQuietly() {
    Exception last = null;
    for (int i = 0; i < DELETE_ATTEMPTS; i++) {
      try {
        delete();
        return;
      } catch (IOException | UncheckedIOException e) {
        last = e;
      }
    }
    System.err.println("not removed: " + work + ": " + last);
  }
}
