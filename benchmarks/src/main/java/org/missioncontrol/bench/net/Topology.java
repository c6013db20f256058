/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.net;

import java.util.Locale;
import java.util.stream.Stream;

/** How the hosts are joined. */
public enum Topology {
  /** One switch. */
  STAR,
  /** Half of the hosts at a second switch, with a trunk between the two as fast as one host. */
  TWO_RACKS;

  /** The one that users write so. */
  public static Topology named(String label) {
    return Stream.of(values())
        .filter(one -> one.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no network " + label + "; there are star and two-racks"));
  }

  /** As users write it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
