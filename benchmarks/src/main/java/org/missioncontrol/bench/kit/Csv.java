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
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Rows of numbers and plain words, which need no quotes. Not shared. */
public final class Csv {
  private final List<String> lines = new ArrayList<>();

  /** With the heads of its columns. */
  public Csv(String... heads) {
    lines.add(String.join(",", heads));
  }

  /** Adds a line. */
  public void row(Object... cells) {
    lines.add(Stream.of(cells).map(String::valueOf).collect(Collectors.joining(",")));
  }

  /** Writes it. */
  public void write(Path file) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.write(file, lines);
  }
}
