/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Partitions that a request asks of each map output. Immutable.
 *
 * @param ranged whether it was written {@code a-b}; then, as in Tez's shuffle handler, each map
 *     output is preceded by the number of its partitions (VInt) and all their headers, and its
 *     bytes follow in one piece
 */
record ReduceRange(int first, int last, boolean ranged) {
  /** Most partitions of one map output in one request. */
  static final int MAX_COUNT = 1000;

  private static final Pattern RANGE = Pattern.compile("(\\d+)-(\\d+)");

  static ReduceRange parse(String text) throws Refusal {
    Matcher range = RANGE.matcher(text);
    try {
      if (range.matches()) {
        return new ReduceRange(
                Integer.parseInt(range.group(1)), Integer.parseInt(range.group(2)), true)
            .checked();
      }
      int reduce = Integer.parseInt(text);
      return new ReduceRange(reduce, reduce, false).checked();
    } catch (NumberFormatException e) {
      throw bad();
    }
  }

  int count() {
    return last - first + 1;
  }

  private ReduceRange checked() throws Refusal {
    if (first < 0 || last < first || count() > MAX_COUNT) {
      throw bad();
    }
    return this;
  }

  private static Refusal bad() {
    return new Refusal(HttpResponseStatus.BAD_REQUEST, "Bad reduce parameter");
  }
}
