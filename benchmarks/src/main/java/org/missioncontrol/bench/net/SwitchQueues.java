/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.net;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The queues of a network's switches, seen with one look. Immutable. */
public record SwitchQueues(String namespace) {
  private static final Pattern DISCIPLINE = Pattern.compile("qdisc tbf \\S+ dev (\\S+) ");

  /** Bytes that wait now, by port. */
  public Map<String, Long> backlogBytes() throws IOException, InterruptedException {
    Map<String, Long> all = new TreeMap<>();
    String port = "";
    for (String line :
        Shell.line("ip netns exec " + namespace + " tc -s qdisc show").lines().toList()) {
      if (line.startsWith("qdisc ")) {
        Matcher matcher = DISCIPLINE.matcher(line);
        port = matcher.find() ? matcher.group(1) : "";
      } else if (!port.isEmpty() && line.contains("backlog")) {
        all.put(port, SwitchPort.bytes(line));
      }
    }
    return all;
  }
}
