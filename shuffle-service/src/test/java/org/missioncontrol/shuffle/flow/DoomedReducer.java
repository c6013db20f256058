/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.flow;

import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import org.missioncontrol.shuffle.door.DoorPointer;
import org.missioncontrol.shuffle.throttle.Node;
import org.missioncontrol.transport.Transport;

/** A process that takes three flows and sits on them until it is killed. */
final class DoomedReducer {
  private DoomedReducer() {}

  public static void main(String[] args) throws Exception {
    EventLoopGroup loops = Node.CHANNELS.newEventLoopGroup(1, "doomed");
    String job = "job_1_0001";
    FlowSource source =
        new DoorFlowSource(
            loops,
            () -> DoorPointer.find(args[0]),
            new TaskIdentity(job, "attempt_1", Node.secretOf(job)),
            Transport.DEFAULT,
            new DoorFlowSource.Timeouts(10_000, 60_000, 60_000),
            () -> {
              throw new IllegalStateException("no door");
            },
            new FlowCounters());
    InetSocketAddress peer =
        InetSocketAddress.createUnresolved("127.0.0.1", Integer.parseInt(args[1]));
    for (int i = 0; i < 3; i++) {
      source.request(peer, new ChannelInboundHandlerAdapter()).get();
    }
    new CountDownLatch(1).await();
  }
}
