/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.kit;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Columns for people: text to the left, numbers to the right. Not shared. */
public final class Table {
  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  /** With the heads of its columns. */
  public Table(String... heads) {
    rows.add(List.of(heads));
  }

  /** Adds a line; numbers are rounded to four digits. */
  public Table row(Object... cells) {
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(cell instanceof Double number ? round(number) : String.valueOf(cell));
    }
    if (row.size() != rows.get(0).size()) {
      throw new IllegalArgumentException(row.size() + " cells in " + rows.get(0).size());
    }
    rows.add(row);
    return this;
  }

  /** Four significant digits, no exponent between a ten-thousandth and ten million. */
  static String round(double number) {
    double size = Math.abs(number);
    if (size != 0 && (size < 1e-4 || size >= 1e7)) {
      return String.format(Locale.ROOT, "%.3g", number);
    }
    int digits = size == 0 ? 0 : Math.max(0, 3 - (int) Math.floor(Math.log10(size)));
    String text = String.format(Locale.ROOT, "%." + digits + "f", number);
    return text.contains(".") ? text.replaceFirst("\\.?0+$", "") : text;
  }

  @Override
  public String toString() {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String side = row.get(i).matches("[-+]?[0-9].*") ? "" : "-";
        line.append(String.format("%" + side + widths[i] + "s", row.get(i))).append(GAP);
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
