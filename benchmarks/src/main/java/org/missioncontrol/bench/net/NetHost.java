/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.net;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * One host of a {@link Network}. Immutable.
 *
 * @param addresses IPv4, all of the same cable
 */
public record NetHost(String namespace, List<String> addresses) {
  /** Copies the list. */
  public NetHost {
    addresses = List.copyOf(addresses);
  }

  /** The first address. */
  public String address() {
    return addresses.get(0);
  }

  /** The words that run a command on this host; the process started is the command itself. */
  public List<String> command(List<String> words) {
    List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", namespace));
    command.addAll(words);
    return command;
  }

  /** Runs a short command on this host; what it printed. */
  public String run(String... words) throws IOException, InterruptedException {
    return Shell.run(command(words));
  }

  String[] command(String... words) {
    return command(List.of(words)).toArray(String[]::new);
  }
}
