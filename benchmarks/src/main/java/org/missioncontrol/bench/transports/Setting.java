/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.transports;

import java.util.List;
import org.missioncontrol.bench.kit.Words;

/**
 * How the transports are compared. Immutable.
 *
 * @param mbit rate of the link, Mbit/s
 * @param queueMs its queue
 * @param settleMs before anything is counted
 * @param windowMs how long is counted
 * @param names of transports, and {@code encrypted}
 */
record Setting(int mbit, int queueMs, int settleMs, int windowMs, List<String> names) {
  static final String MPTCP = "mptcp";

  static final String OPTIONS =
      """
        --quick           at most a minute
        --rate MBIT       rate of the link to the reducers           (default 200)
        --queue MS        its drop-tail queue                        (default 20)
        --window MS       how long each transport is measured        (default 10000, quick 3000)
        --names LIST      reno,cubic,bbr,ecn,dctcp,mptcp,encrypted

      Two hosts, network namespaces, are joined by a switch whose port to the second marks ECN packets
      (CE) above 97 % of the link's rate. On the first a shuffle service has map outputs, on the second
      two reducers fetch and discard them over two flows each, with the shipped classes.
      A second link like the first, in a network of its own, is there for mptcp.
      client_cc, server_cc, ecn_negotiated, ce_marks, subflows (of one connection): as ss(8) says in the
      middle of the window; ratio_to_tcp: to cubic, which has one link; queue_bytes_p95: of what waits at
      the switch. Encrypted is cubic with TLS; its ratio is that of a link, not of a processor. dctcp is
      registered for the run if the kernel has none and can (benchmarks/net/dctcp).
      """;

  /** Whether there shall be a second link. */
  boolean twoLinks() {
    return names.contains(MPTCP);
  }

  Setting without(String name) {
    List<String> left = names.stream().filter(one -> !one.equals(name)).toList();
    return new Setting(mbit, queueMs, settleMs, windowMs, left);
  }

  static Setting parse(Words words) {
    boolean quick = words.flag("--quick");
    Setting setting =
        new Setting(
            words.number("--rate", 200),
            words.number("--queue", 20),
            words.number("--settle", 1_500),
            words.number("--window", quick ? 3_000 : 10_000),
            List.of(
                words.text("--names", "cubic,reno,bbr,ecn,dctcp,mptcp,encrypted").split(",", -1)));
    words.none();
    return setting;
  }
}
