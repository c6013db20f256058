/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.conf;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One line of a table that chooses a transport: where every condition holds, its transport is
 * chosen. Without conditions it always fits. Immutable.
 *
 * @param name how it is called in an explanation
 * @param texts values that must be equal, by what they are of: some of {@link #TEXTS}
 * @param ranges bounds, by what they are of: some of {@link #NUMBERS}
 * @param transport name of what is chosen
 */
public record TransportRule(
    String name, Map<String, String> texts, Map<String, Range> ranges, String transport) {
  /** The user who runs the job, as the NodeManager knows it. */
  public static final String USER = "user";

  /** The job's queue, as it says, without a leading {@code root.}. */
  public static final String QUEUE = "queue";

  /** {@code shuffle} or {@code broadcast}, as the job's ApplicationMaster says. */
  public static final String CLASS = "class";

  /** {@code yes} where marks have come over a connection to the same host, else {@code no}. */
  public static final String ECN = "ecn";

  /** Map output bytes that are known of so far. */
  public static final String BYTES = "bytes";

  /** Most flows that the job's tasks have wanted at once on this host: its fan-in. */
  public static final String FLOWS = "flows";

  /** Mean bytes that one reducer fetches of one map output. */
  public static final String SEGMENT = "segment";

  /** Network interfaces of this host that one connection to the same host can use. */
  public static final String INTERFACES = "interfaces";

  /** Conditions that compare text, in the order of an explanation. */
  public static final List<String> TEXTS = List.of(USER, QUEUE, CLASS, ECN);

  /** Conditions that compare numbers, in the order of an explanation. */
  public static final List<String> NUMBERS = List.of(BYTES, FLOWS, SEGMENT, INTERFACES);

  /** Copies the maps. */
  public TransportRule {
    texts = Map.copyOf(texts);
    ranges = Map.copyOf(ranges);
  }

  /**
   * A number from a least to a greatest, both included. Immutable.
   *
   * @param least and {@code most} in the number's own unit
   */
  public record Range(long least, long most) {
    /** Every number that is known. */
    public static final Range ANY = new Range(0, Long.MAX_VALUE);

    /** Refuses a range that nothing is in. */
    public Range {
      if (least > most) {
        throw new IllegalArgumentException(
            "no number is at least " + least + " and at most " + most);
      }
    }

    /** From {@code least} on. */
    public static Range atLeast(long least) {
      return new Range(least, Long.MAX_VALUE);
    }

    /** Up to {@code most}. */
    public static Range atMost(long most) {
      return new Range(0, most);
    }

    /** Whether a number, -1 for one that is not known, is in it. */
    public boolean has(long number) {
      return number >= least && number <= most;
    }

    @Override
    public String toString() {
      return Stream.of(
              least > 0 ? "at least " + least : null,
              most < Long.MAX_VALUE ? "at most " + most : null)
          .filter(Objects::nonNull)
          .collect(Collectors.joining(" and "));
    }
  }
}
