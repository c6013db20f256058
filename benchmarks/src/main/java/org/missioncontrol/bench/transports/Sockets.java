/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.transports;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What ss(8) says of established connections, a line each. Immutable.
 *
 * @param congestionControls of all of them, sorted
 * @param ecn on how many it was negotiated
 * @param ceMarks segments that the peers told to have come marked
 */
record Sockets(Set<String> congestionControls, int count, int ecn, long ceMarks) {
  private static final Set<String> KNOWN = Set.of("reno", "cubic", "bbr", "dctcp");
  private static final Pattern MARKS = Pattern.compile("delivered_ce:([0-9]+)");

  /** Reads the output of {@code ss -tineOH}. */
  static Sockets parse(String said) {
    Set<String> found = new TreeSet<>();
    int count = 0;
    int ecn = 0;
    long marks = 0;
    for (String line : said.lines().toList()) {
      List<String> words = List.of(line.trim().split("\\s+"));
      if (words.stream().noneMatch(KNOWN::contains)) {
        // ss also complains there, of control groups that it does not find.
        continue;
      }
      count++;
      words.stream().filter(KNOWN::contains).forEach(found::add);
      ecn += words.contains("ecn") ? 1 : 0;
      Matcher matcher = MARKS.matcher(line);
      marks += matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    }
    return new Sockets(found, count, ecn, marks);
  }

  /** The one that all have, or all of them. */
  String congestionControl() {
    return String.join("+", congestionControls);
  }

  /** Whether all of them negotiated ECN, and there are some. */
  boolean allEcn() {
    return count > 0 && ecn == count;
  }
}
