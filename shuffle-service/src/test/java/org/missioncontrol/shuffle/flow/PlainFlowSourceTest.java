/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.flow;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.missioncontrol.transport.Channels;
import org.missioncontrol.transport.Transport;

class PlainFlowSourceTest {
  private final Channels channels = Channels.detect();
  private final EventLoopGroup loops = channels.newEventLoopGroup(2, "reducer");
  private final FlowCounters counters = new FlowCounters();
  private EchoServer server;

  @BeforeEach
  void start() throws Exception {
    server = new EchoServer();
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).sync();
  }

  @Test
  void givesConnectionsThatWorkAndCountsThem() throws Exception {
    try (PlainFlowSource source = source("default", 5)) {
      Received received = new Received();
      Flow flow = source.request(server.address(), received).get(10, TimeUnit.SECONDS);
      flow.channel().writeAndFlush(Unpooled.copiedBuffer("ping", US_ASCII));
      await().until(() -> received.text().equals("ping"));
      assertThat(flow.leased()).isFalse();
      assertThat(flow.renew()).isCompletedWithValue(true);
      flow.close();
      await().until(() -> server.open() == 0);
      assertThat(counters.plainFlows()).isEqualTo(1);
      assertThat(counters.leasedFlows()).isZero();
    }
  }

  @Test
  void kernelHasTheTransportThatWasAsked() throws Exception {
    for (String name : new String[] {"reno", "cubic"}) {
      try (PlainFlowSource source = source(name, 5)) {
        Flow flow = get(source);
        assertThat(flow.congestionControl()).isEqualTo(name);
        assertThat(flow.transport().refusal()).isNull();
      }
    }
    assertThat(counters.transportRefusals()).isZero();
  }

  @Test
  void unknownTransportIsRefusedAndTheConnectionMadeWithTheDefault() throws Exception {
    try (PlainFlowSource source = source("nosuch", 5)) {
      Flow flow = get(source);
      get(source);
      assertThat(flow.channel().isActive()).isTrue();
      assertThat(flow.transport().used()).isEqualTo(Transport.DEFAULT);
      assertThat(counters.transportRefusals()).isEqualTo(2);
      assertThat(counters.refusals()).singleElement().asString().contains("nosuch", "reno");
    }
  }

  @Test
  void opensNoMoreThanAllowedUntilOneIsClosed() throws Exception {
    try (PlainFlowSource source = source("default", 2)) {
      Flow first = get(source);
      get(source);
      CompletableFuture<Flow> third = ask(source);
      CompletableFuture<Flow> cancelled = ask(source);
      CompletableFuture<Flow> fifth = ask(source);
      cancelled.cancel(false);
      await().until(() -> server.open() == 2);
      assertThat(third).isNotDone();
      first.close();
      third.get(10, TimeUnit.SECONDS).close();
      fifth.get(10, TimeUnit.SECONDS);
    }
    await().until(() -> server.open() == 0);
  }

  @Test
  void refusedConnectionFailsWithTheHostAndFreesItsPlace() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      port = free.getLocalPort();
    }
    try (PlainFlowSource source = source("default", 1)) {
      InetSocketAddress nobody = InetSocketAddress.createUnresolved("127.0.0.1", port);
      CompletableFuture<Flow> failed = source.request(nobody, new ChannelInboundHandlerAdapter());
      assertThatThrownBy(() -> failed.get(10, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isInstanceOf(FlowException.class)
          .hasMessageContaining("127.0.0.1")
          .hasMessageContaining(Integer.toString(port));
      get(source);
    }
  }

  @Test
  void closeEndsEverythingAndRefusesMore() throws Exception {
    PlainFlowSource source = source("default", 1);
    get(source);
    CompletableFuture<Flow> waiting = ask(source);
    source.close();
    source.close();
    assertThat(waiting).isCompletedExceptionally();
    assertThat(ask(source)).isCompletedExceptionally();
    await().until(() -> server.open() == 0);
  }

  private PlainFlowSource source(String transport, int parallel) {
    return new PlainFlowSource(
        channels, loops, new Transport(transport), parallel, 10_000, counters);
  }

  private CompletableFuture<Flow> ask(FlowSource source) {
    return source.request(server.address(), new ChannelInboundHandlerAdapter());
  }

  private Flow get(FlowSource source) throws Exception {
    return ask(source).get(10, TimeUnit.SECONDS);
  }
}
