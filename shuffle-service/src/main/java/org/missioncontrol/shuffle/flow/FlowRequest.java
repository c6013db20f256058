/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.flow;

import io.netty.channel.ChannelHandler;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;

/** What a reducer asked for, and its answer. Thread-safe. */
record FlowRequest(
    InetSocketAddress host, ChannelHandler initializer, CompletableFuture<Flow> result) {
  /** A flow that nobody wants any more is given back. */
  void give(Flow flow) {
    if (!result.complete(flow)) {
      flow.close();
    }
  }

  void fail(Throwable failure) {
    result.completeExceptionally(failure);
  }

  void refuseBecauseClosed() {
    fail(new FlowException("no connection to " + host + " is opened: the flow source is closed"));
  }
}
