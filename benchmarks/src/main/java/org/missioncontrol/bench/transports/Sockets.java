/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.transports;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What ss(8) says of established connections, a line each. Immutable.
 *
 * @param congestionControls of all of them, sorted
 * @param ecn on how many it was negotiated
 * @param subflows most of them that belong to one MPTCP connection; 0 if none does
 * @param ceMarks segments that the peers told to have come marked
 */
record Sockets(Set<String> congestionControls, int count, int ecn, int subflows, long ceMarks) {
  private static final Set<String> KNOWN = Set.of("reno", "cubic", "bbr", "dctcp");

  /** The token of this end, the same for all subflows of a connection. */
  private static final Pattern TOKEN =
      Pattern.compile("token:[0-9a-f]+\\(id:[0-9]+\\)/([0-9a-f]+)");

  private static final Pattern MARKS = Pattern.compile("delivered_ce:([0-9]+)");

  /** Reads the output of {@code ss -tineOH}. */
  static Sockets parse(String said) {
    Set<String> found = new TreeSet<>();
    int count = 0;
    int ecn = 0;
    Map<String, Integer> subflows = new HashMap<>();
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
      Matcher token = TOKEN.matcher(line);
      if (token.find()) {
        subflows.merge(token.group(1), 1, Integer::sum);
      }
      Matcher matcher = MARKS.matcher(line);
      marks += matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    }
    int most = subflows.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    return new Sockets(found, count, ecn, most, marks);
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
