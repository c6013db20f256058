/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.terasort;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes as people write them. Immutable. */
final class Size {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,6})([kmgt]?)b?");
  private static final String UNITS = "kmgt";
  private static final int STEP = 1000;

  private Size() {}

  /** Bytes of "10m", "1g", "500000"; powers of 1000. */
  static long parse(String text) {
    Matcher form = FORM.matcher(text.toLowerCase(Locale.ROOT));
    if (!form.matches()) {
      throw new IllegalArgumentException("not a size such as 10m or 1g: " + text);
    }
    long bytes = Long.parseLong(form.group(1));
    int power = form.group(2).isEmpty() ? 0 : UNITS.indexOf(form.group(2)) + 1;
    for (int i = 0; i < power; i++) {
      bytes *= STEP;
    }
    if (bytes < TeraRun.ROW_BYTES) {
      throw new IllegalArgumentException("less than one row of 100 bytes: " + text);
    }
    return bytes;
  }
}
