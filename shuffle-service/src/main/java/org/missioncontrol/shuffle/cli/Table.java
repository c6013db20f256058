/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Rows of text in columns as wide as they need. Owned by the thread that fills it. */
final class Table {
  private final List<String> titles;
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * @param titles of the columns; one that begins with {@code >} aligns its column to the right
   */
  Table(String... titles) {
    this.titles = List.of(titles);
  }

  Table row(Object... cells) {
    rows.add(IntStream.range(0, cells.length).mapToObj(i -> String.valueOf(cells[i])).toList());
    return this;
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  /** Every line, each with a line feed and no blank at its end. */
  @Override
  public String toString() {
    List<List<String>> lines = new ArrayList<>();
    lines.add(titles.stream().map(title -> title.replace(">", "")).toList());
    lines.addAll(rows);
    StringBuilder text = new StringBuilder();
    for (List<String> line : lines) {
      StringBuilder drawn = new StringBuilder();
      for (int i = 0; i < titles.size(); i++) {
        int width = width(lines, i);
        String cell = line.get(i);
        String blanks = " ".repeat(width - cell.length());
        drawn
            .append(i == 0 ? "" : "  ")
            .append(titles.get(i).startsWith(">") ? blanks + cell : cell + blanks);
      }
      text.append(drawn.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  private static int width(List<List<String>> lines, int column) {
    return lines.stream().mapToInt(line -> line.get(column).length()).max().orElse(0);
  }
}
