/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.flow;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.missioncontrol.transport.TransportChoice;

/** How a reducer's connections came about and what came over them. Thread-safe. */
public final class FlowCounters {
  /** Texts kept; a job asks for one transport, so there is hardly ever more than one per host. */
  private static final int MAX_REFUSAL_TEXTS = 8;

  private final LongAdder leased = new LongAdder();
  private final LongAdder plain = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder received = new LongAdder();
  private final Set<String> refusals = new LinkedHashSet<>();

  /** Flows granted by the NodeManager so far. */
  public long leasedFlows() {
    return leased.sum();
  }

  /** Flows opened by ourselves so far. */
  public long plainFlows() {
    return plain.sum();
  }

  /** Bytes of map outputs that have come so far, whole and good. */
  public long receivedBytes() {
    return received.sum();
  }

  /** So many more have come. */
  public void received(long bytes) {
    received.add(bytes);
  }

  /** Flows so far that have another transport than was asked. */
  public long transportRefusals() {
    return refused.sum();
  }

  /** Why, each different text once, the first few. */
  public List<String> refusals() {
    synchronized (refusals) {
      return List.copyOf(refusals);
    }
  }

  void opened(Flow flow) {
    (flow.leased() ? leased : plain).increment();
    TransportChoice choice = flow.transport();
    String refusal = choice.refusal();
    if (refusal == null) {
      return;
    }
    refused.increment();
    synchronized (refusals) {
      if (refusals.size() < MAX_REFUSAL_TEXTS) {
        refusals.add(refusal);
      }
    }
  }
}
