/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.fairness;

import java.util.Arrays;
import java.util.List;
import org.missioncontrol.bench.kit.Words;

/**
 * What the link and the jobs are like. Immutable.
 *
 * @param mbit rate of the link, Mbit/s
 * @param queueMs its queue
 * @param budget flows of the reducers' host
 * @param mapHosts addresses behind the shared link that map outputs are fetched from
 * @param partitionBytes size of one reducer's part of a map output
 * @param mapsPerBatch most map outputs over one lease; 0 leaves the default
 * @param windowMs how long bytes are counted
 * @param smallMb size of the small job's shuffle, megabytes
 * @param rounds how often all is done
 * @param cases weights of the jobs that share, case by case
 * @param shareBy bytes or flows, see mission-control.share-by
 * @param trace file for every look at the flows; empty for none
 * @param congestionControl of every socket that does not choose; empty leaves the host's
 */
record Setting(
    int mbit,
    int queueMs,
    int budget,
    int mapHosts,
    int partitionBytes,
    int mapsPerBatch,
    int windowMs,
    int smallMb,
    int rounds,
    String congestionControl,
    List<double[]> cases,
    String shareBy,
    String trace) {
  private static final String CASES = "1:1,2:1,4:2:1,1:1:1:1:1:1:1:1";

  static final String OPTIONS =
      """
        --quick           one round, at most a minute
        --rate MBIT       rate of the shared link                    (default 200)
        --queue MS        its drop-tail queue                        (default 10)
        --budget N        flows of the reducers' host                (default 56)
        --part KB         one reducer's part of a map output         (default 64)
        --batch N         most map outputs over one lease            (default: the product's)
        --window MS       how long bytes are counted                 (default 10000, quick 2500)
        --small MB        shuffle of the small job                   (default 64)
        --cases LIST      weights of the jobs that share, as 1:1,4:2:1
        --share-by WHAT   mission-control.share-by: bytes or flows   (default bytes)
        --trace FILE      write every look at the flows there, comma-separated
        --rounds N        how often all is done                      (default 3, quick 1)
        --cc NAME         congestion control: bbr, cubic, reno, ...  (default: the host's)

      Two hosts, network namespaces, are joined by a switch; what the first sends goes through a
      link of the given rate. On the first a shuffle service, ours and beside it stock's, has the
      map outputs, under 8 addresses, as if 8 map hosts shared an uplink; on the second ours has
      a throttle controller and a door, and a JVM runs reducers that fetch with the shipped
      plug-in, or stock's, and discard. Jobs are announced with their weights by control messages.
      jain_weighted_min, share_error_max: of bytes of map outputs in a window in which all jobs
      of a case shuffle; the error is relative to the job's own due. reaction_ms: from the first
      request of an arriving job at the door, or from the order to kill a job's reducers, until
      every job has connected sockets as its share says. utilisation_min: bytes a second of the
      window over those of stock reducers on the same link. small_job_speedup: shuffle time of a
      job with one reducer beside one with four, stock's over ours, both with weight 1.
      """;

  static Setting parse(Words words) {
    boolean quick = words.flag("--quick");
    Setting setting =
        new Setting(
            words.number("--rate", 200),
            words.number("--queue", 10),
            words.number("--budget", 56),
            8,
            words.number("--part", 64) << 10,
            words.number("--batch", 0),
            words.number("--window", quick ? 2_500 : 10_000),
            words.number("--small", 64),
            words.number("--rounds", quick ? 1 : 3),
            words.text("--cc", ""),
            cases(words.text("--cases", CASES)),
            words.text("--share-by", "bytes"),
            words.text("--trace", ""));
    words.none();
    return setting;
  }

  private static List<double[]> cases(String text) {
    if (!text.matches("[1-9][0-9]?(:[1-9][0-9]?)+(,[1-9][0-9]?(:[1-9][0-9]?)+)*")) {
      throw new IllegalArgumentException("--cases needs weights like 1:1,4:2:1, not " + text);
    }
    return Arrays.stream(text.split(",", -1))
        .map(one -> Arrays.stream(one.split(":", -1)).mapToDouble(Double::parseDouble).toArray())
        .toList();
  }

  /** The most jobs that a case has. */
  int mostJobs() {
    return cases.stream().mapToInt(weights -> weights.length).max().orElse(0);
  }

  /** Map tasks that each job needs so that no shuffle ends before it is stopped. */
  int maps() {
    double seconds = 4 + windowMs / 1e3;
    double bytes = Math.max(mbit * 1e6 / 8 * seconds, 2.0 * smallMb * 1e6);
    return (int) Math.ceil(bytes / (double) partitionBytes);
  }

  /** Map tasks of a small job. */
  int smallMaps(int megabytes) {
    return Math.max(1, (int) (Math.min(megabytes, smallMb) * 1e6 / partitionBytes));
  }
}
