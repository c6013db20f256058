/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.terasort;

import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.bench.net.Topology;

/**
 * What was asked on the command line. Immutable.
 *
 * @param bytes to sort
 * @param nodes NodeManagers
 * @param reduces of the sort
 * @param rounds pairs of sorts to compare; 0: one sort, no comparison
 * @param keep whether the cluster stays up
 * @param transport that the job asks for
 * @param network on whose hosts NodeManagers and DataNodes run; null: all on loopback
 * @param mbit rate of each host's link, Mbit/s
 */
record Options(
    long bytes,
    int nodes,
    int reduces,
    int rounds,
    boolean keep,
    @Nullable String transport,
    @Nullable Topology network,
    int mbit) {
  private static final int COMPARE_ROUNDS = 3;
  private static final int REDUCES_PER_NODE = 2;

  static final String USAGE =
      """
      benchmarks/terasort: TeraGen, TeraSort and TeraValidate through Mission Control
      on a cluster of real JVMs (HDFS, YARN) that this command starts and stops.

        --size SIZE       bytes to sort: 10m, 1g, ...          (default 1g)
        --nodes N         NodeManagers                         (default 2)
        --reduces N       reduce tasks                         (default 2 per NodeManager)
        --transport NAME  transport that the job asks for: reno, cubic, bbr, ...
        --network NAME    star or two-racks: NodeManagers and DataNodes on hosts of their own
                          (network namespaces; needs root), two racks with a trunk as fast
                          as one host
        --rate RATE       of each host's link with --network   (default 200mbit)
        --compare         sort the same data by stock and by ours in turn, 3 rounds;
                          the last line is the ratio of the medians
        --rounds N        with --compare: so many rounds, at least 3
        --keep            leave the cluster running until Ctrl-C; keep its directory
        --hadoop VERSION  3.5.0 (default) or 3.4.3
        --help            this text

      Exits 0 only if every job succeeded, the output is in order and has the input's
      checksum, and every shuffled byte came over flows that a NodeManager granted.
      """;

  static Options parse(List<String> arguments) {
    long bytes = Size.parse("1g");
    int nodes = 2;
    int reduces = 0;
    int rounds = 0;
    boolean keep = false;
    String transport = null;
    Topology network = null;
    int mbit = 200;
    Iterator<String> words = arguments.iterator();
    while (words.hasNext()) {
      String option = words.next();
      switch (option) {
        case "--size" -> bytes = Size.parse(value(option, words));
        case "--nodes" -> nodes = positive(option, words);
        case "--reduces" -> reduces = positive(option, words);
        case "--transport" -> transport = value(option, words);
        case "--network" -> network = Topology.named(value(option, words));
        case "--rate" -> mbit = rate(value(option, words));
        case "--compare" -> rounds = Math.max(rounds, COMPARE_ROUNDS);
        case "--rounds" -> rounds = Math.max(COMPARE_ROUNDS, positive(option, words));
        case "--keep" -> keep = true;
        default -> throw new IllegalArgumentException("unknown option " + option + "; try --help");
      }
    }
    int partitions = reduces == 0 ? nodes * REDUCES_PER_NODE : reduces;
    return new Options(bytes, nodes, partitions, rounds, keep, transport, network, mbit);
  }

  /** What the hosts are, for people. */
  String where() {
    return network == null
        ? "One machine, loopback, no shaped link: this measures overhead, not network sharing."
        : "Hosts of a "
            + network.label()
            + " network on one machine, links of "
            + mbit
            + " Mbit/s.";
  }

  private static int positive(String option, Iterator<String> words) {
    String word = value(option, words);
    if (!word.matches("[1-9][0-9]{0,2}")) {
      throw new IllegalArgumentException(option + " needs a number from 1 to 999, not " + word);
    }
    return Integer.parseInt(word);
  }

  private static int rate(String word) {
    if (!word.matches("[1-9][0-9]{0,4}mbit")) {
      throw new IllegalArgumentException("--rate needs something like 200mbit, not " + word);
    }
    return Integer.parseInt(word.substring(0, word.indexOf('m')));
  }

  private static String value(String option, Iterator<String> words) {
    if (!words.hasNext()) {
      throw new IllegalArgumentException(option + " needs a value; try --help");
    }
    return words.next();
  }
}
