/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.sort;

import java.nio.file.Path;
import org.missioncontrol.bench.kit.Words;

/**
 * What the shuffles have in common. Immutable.
 *
 * @param hosts each with map outputs
 * @param mbit rate of each host's link, Mbit/s
 * @param queueMs drop-tail queue of each port
 * @param seconds that a reducer would need for its input if it had its link for itself
 * @param runs of everything
 * @param out where CSV and PNG go
 */
record SortSetting(int hosts, int mbit, int queueMs, int seconds, int runs, Path out) {
  static final String OPTIONS =
      """
        --hosts N         hosts, each with map outputs and a NodeManager's shuffle service (default 4)
        --rate MBIT       rate of each host's link                          (default 100)
        --queue MS        drop-tail queue of each port                      (default 20)
        --seconds S       input of a reducer, in seconds of its link        (default 4, quick 2)
        --runs N          interleaved runs of each case                     (default 5, quick 1)
        --out DIR         where CSV and PNG go        (default benchmarks/target/results)
      """;

  /** Takes the words that it knows. */
  static SortSetting parse(Words words, boolean quick) {
    return new SortSetting(
        words.number("--hosts", 4),
        words.number("--rate", 100),
        words.number("--queue", 20),
        words.number("--seconds", quick ? 2 : 4),
        words.number("--runs", quick ? 1 : 5),
        Path.of(words.text("--out", "benchmarks/target/results")));
  }
}
