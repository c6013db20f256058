/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.shortjob;

import org.missioncontrol.bench.kit.Words;

/**
 * How the jobs are run. Immutable.
 *
 * @param rounds jobs of each plane
 * @param bytesPerMap what each map emits
 * @param spreadMs time over which the ends of a job's maps are spread
 * @param seed of the moments at which maps end
 */
record Setting(int rounds, int bytesPerMap, int spreadMs, int seed) {
  static final String OPTIONS =
      """
        --quick           at most a minute
        --rounds N        jobs of each plane                          (default 10, quick 2)
        --bytes N         what each of the 4 maps emits               (default 4000)
        --spread MS       the maps end within so long                 (default 2000, quick 1000)
        --seed N          of the moments at which they end            (default 1)

      A cluster of real JVMs: one NodeManager with Hadoop's shuffle service, one with ours, of which one
      is stopped (SIGSTOP) while the other runs a job, in turn. The job's two reducers run before its
      maps end, as they do by slow start where maps take longer than a JVM's start; then the maps end at
      random moments, the same for both planes. What counts is the time from the last map's end, as the
      ApplicationMaster has it, to the end of each reducer's shuffle, by its own clock, both from the
      job's history.
      """;

  static Setting parse(Words words) {
    boolean quick = words.flag("--quick");
    Setting setting =
        new Setting(
            words.number("--rounds", quick ? 2 : 10),
            words.number("--bytes", 4_000),
            words.number("--spread", quick ? 1_000 : 2_000),
            words.number("--seed", 1));
    words.none();
    return setting;
  }
}
