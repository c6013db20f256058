/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.cli;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Numbers and names as people read them. Immutable. */
final class Words {
  private static final String[] UNITS = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};

  private Words() {}

  /** In powers of a thousand. */
  static String bytes(double bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= 1000 && unit < UNITS.length - 1) {
      value /= 1000;
      unit++;
    }
    String form = unit > 0 && value < 10 ? "%.1f %s" : "%.0f %s";
    return String.format(Locale.ROOT, form, value, UNITS[unit]);
  }

  /** Up to two digits after the point, none if they are zero. */
  static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value).replaceAll("\\.?0+$", "");
  }

  static String flows(int number) {
    return number == 1 ? "1 flow" : number + " flows";
  }

  /** Without anything that would move a terminal's cursor or change its colours. */
  static String plain(@Nullable String text) {
    return text == null || text.isEmpty() ? "-" : text.replaceAll("\\p{Cntrl}", "?");
  }
}
