/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.flow;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.door.DoorMessage.Granted;
import org.missioncontrol.shuffle.door.DoorMessage.Release;
import org.missioncontrol.shuffle.door.DoorMessage.Renew;
import org.missioncontrol.shuffle.door.DoorMessage.Renewed;
import org.missioncontrol.transport.Transport;
import org.missioncontrol.transport.TransportChoice;
import org.missioncontrol.transport.linux.PassedSockets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections that the NodeManager has lent, from their arrival to their return. Event-loop
 * confined, but for {@link #renew}, which any thread may call.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of listeners, whose outcome is what they do
final class LentFlows {
  private static final Logger LOG = LoggerFactory.getLogger(LentFlows.class);

  private final EventLoopGroup loops;
  private final EventLoop loop;
  private final Transport transport;
  private final FlowCounters counters;
  private final Set<LeasedFlow> flows = new HashSet<>();
  private final Renewals renewals = new Renewals();

  /**
   * @param loops run the connections
   * @param loop to which the state here is confined
   */
  LentFlows(EventLoopGroup loops, EventLoop loop, Transport transport, FlowCounters counters) {
    this.loops = loops;
    this.loop = loop;
    this.transport = transport;
    this.counters = counters;
  }

  /** A connection has come; without a request it came too late and goes back. */
  void arrived(DoorLink from, Granted granted, Object descriptor, @Nullable FlowRequest request) {
    if (request == null) {
      try {
        PassedSockets.discard(descriptor);
      } catch (IOException e) {
        LOG.warn("cannot close a connection that came too late", e);
      }
      from.send(new Release(granted.lease()));
      return;
    }
    Channel channel = PassedSockets.adopt(descriptor);
    // Once registered it may be read to its end and closed before anybody hears of it, which is
    // fine.
    boolean sound = channel.isActive();
    channel.pipeline().addLast(request.initializer());
    LeasedFlow flow =
        new LeasedFlow(
            channel, choice(granted), granted.congestionControl(), granted.lease(), from, this);
    flows.add(flow);
    channel.closeFuture().addListener(closed -> LoopTasks.run(loop, () -> returned(flow)));
    loops
        .next()
        .register(channel)
        .addListener(
            registered -> {
              if (!sound || !registered.isSuccess()) {
                String failure =
                    "the connection to " + request.host() + " was lost on its way here";
                request.fail(
                    registered.isSuccess()
                        ? new FlowException(failure)
                        : new FlowException(failure, registered.cause()));
                flow.close();
                return;
              }
              counters.opened(flow);
              request.give(flow);
            });
  }

  private TransportChoice choice(Granted granted) {
    return LeasedFlow.choice(transport, granted.transport(), granted.refusal());
  }

  private void returned(LeasedFlow flow) {
    flows.remove(flow);
    flow.link().send(new Release(flow.lease()));
  }

  CompletableFuture<Boolean> renew(LeasedFlow flow) {
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    boolean asked =
        LoopTasks.run(
            loop,
            () -> {
              if (!flow.link().usable() || !flow.channel().isActive()) {
                answer.complete(false);
                return;
              }
              renewals.ask(flow.lease()).thenAccept(answer::complete);
              flow.link().send(new Renew(flow.lease(), counters.receivedBytes()));
            });
    if (!asked) {
      answer.complete(false);
    }
    return answer;
  }

  void answered(Renewed renewed) {
    flows.stream()
        .filter(flow -> renewed.granted() && flow.lease() == renewed.lease())
        .forEach(flow -> flow.change(renewed.transport(), renewed.refusal()));
    renewals.answer(renewed.lease(), renewed.granted());
  }

  /** Nobody answers any more. Connections stay; each carries its batch to the end. */
  void denyRenewals() {
    renewals.denyAll();
  }

  void close() {
    List.copyOf(flows).forEach(Flow::close);
    renewals.denyAll();
  }
}
