/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.flow;

import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Plain connections for the time without a door. Event-loop confined. */
@SuppressWarnings("FutureReturnValueIgnored") // of listeners, whose outcome is what they do
final class PlainDetour {
  private final Supplier<FlowSource> sources;
  private final BooleanSupplier needed;
  private @Nullable FlowSource source;

  /**
   * @param sources makes the source of plain flows when it is needed first; closed with this
   * @param needed whether there is no door; asked on any thread
   */
  PlainDetour(Supplier<FlowSource> sources, BooleanSupplier needed) {
    this.sources = sources;
    this.needed = needed;
  }

  void open(FlowRequest request) {
    FlowSource plain = source;
    if (plain == null) {
      plain = sources.get();
      source = plain;
    }
    CompletableFuture<Flow> opening = plain.request(request.host(), request.initializer());
    request.result().whenComplete((flow, failure) -> opening.cancel(false));
    opening.whenComplete(
        (flow, failure) -> {
          if (flow == null) {
            request.fail(failure);
          } else {
            request.give(new FallbackFlow(flow, needed));
          }
        });
  }

  void close() {
    if (source != null) {
      source.close();
    }
  }
}
