/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.kit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A directory that is gone when it is closed, or when the JVM ends. Thread-safe. */
public final class Scratch implements AutoCloseable {
  private final Path path;
  private final Thread hook = new Thread(this::deleteAsFarAsPossible, "bench-scratch");

  private Scratch(Path path) {
    this.path = path;
  }

  /** Below the directory for temporary files. */
  public static Scratch make(String name) throws IOException {
    Scratch scratch = new Scratch(Files.createTempDirectory("mission-control-" + name + "-"));
    Runtime.getRuntime().addShutdownHook(scratch.hook);
    return scratch;
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    delete();
    Hooks.remove(hook);
  }

  /** Whoever still writes there is about to end as well. */
  private void deleteAsFarAsPossible() {
    try {
      if (Files.exists(path)) {
        delete();
      }
    } catch (IOException e) {
      System.err.println("left behind: " + path);
    }
  }

  private void delete() throws IOException {
    List<Path> all;
    try (Stream<Path> walk = Files.walk(path)) {
      all = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path one : all) {
      Files.deleteIfExists(one);
    }
  }
}
