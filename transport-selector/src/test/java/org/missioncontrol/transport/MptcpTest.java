/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.missioncontrol.transport.Connector.Connected;

/** MPTCP sockets over the loopback of this kernel. */
class MptcpTest {
  private static final byte[] HELLO = new byte[5];

  private final Channels channels = Channels.detect();
  private final BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();
  private final HostNames names = new HostNames(1, "names");
  private EventLoopGroup group;

  @BeforeEach
  void needsMptcp() {
    assumeTrue(
        channels.capabilities().mptcp(),
        "needs a kernel with net.mptcp.enabled=1 that tells bytes in MPTCP_INFO (6.5)");
    group = channels.newEventLoopGroup(1, "test");
  }

  @AfterEach
  void end() throws InterruptedException {
    names.close();
    if (group != null) {
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }
  }

  @Test
  void bothEndsOfAnMptcpConnectionTellSo() throws Exception {
    Connected connected = connect(listen(), Transport.MPTCP);
    assertThat(connected.transport())
        .isEqualTo(new TransportChoice(Transport.MPTCP, Transport.MPTCP, null));
    assertThat(connected.congestionControl())
        .isEqualTo(channels.capabilities().defaultCongestionControl());
    Channel served = accepted.take();
    assertThat(channels.subflows(connected.channel())).isEqualTo(1);
    assertThat(channels.subflows(served)).isEqualTo(1);
    served.writeAndFlush(Unpooled.wrappedBuffer(HELLO)).sync();
    Awaitility.await()
        .until(() -> channels.bytesReceived(connected.channel()), got -> got == HELLO.length);
    SocketFacts facts = channels.facts(connected.channel());
    assertThat(facts.bytesReceived()).isEqualTo(HELLO.length);
    assertThat(facts.rttMicros()).isPositive();
  }

  @Test
  void theSameListenerServesPlainTcpWithPlainSockets() throws Exception {
    Connected connected = connect(listen(), new Transport("reno"));
    Channel served = accepted.take();
    assertThat(channels.subflows(connected.channel())).isZero();
    assertThat(channels.subflows(served)).isZero();
    channels.apply(new Transport("reno"), served);
    assertThat(channels.congestionControl(served)).isEqualTo("reno");
    connected.channel().writeAndFlush(Unpooled.wrappedBuffer(HELLO)).sync();
    Awaitility.await().until(() -> channels.bytesReceived(served), got -> got == HELLO.length);
  }

  @Test
  void theListenerNegotiatesEcnWithPlainTcpThatWantsIt() throws Exception {
    assumeTrue(
        channels.capabilities().transports().contains(Transport.ECN.name()),
        "needs dctcp, see benchmarks/net/dctcp");
    Connected connected = connect(listen(), Transport.ECN);
    assertThat(connected.transport().refusal()).isNull();
    assertThat(channels.ecn(accepted.take())).isTrue();
  }

  @Test
  void aPeerWithoutMptcpIsReachedByPlainTcpAndTheChoiceSaysSo() throws Exception {
    try (ServerSocket plain = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Connected connected =
          connect(
              new InetSocketAddress(plain.getInetAddress(), plain.getLocalPort()), Transport.MPTCP);
      try (Socket peer = plain.accept()) {
        assertThat(connected.transport().used()).isEqualTo(Transport.DEFAULT);
        assertThat(connected.transport().refusal()).contains("mptcp").contains("plain TCP");
        assertThat(channels.subflows(connected.channel())).isZero();
        peer.getOutputStream().write(HELLO);
        Awaitility.await()
            .until(() -> channels.bytesReceived(connected.channel()), got -> got == HELLO.length);
      }
    }
  }

  @Test
  void anOpenConnectionOfPlainTcpCannotBecomeMptcpAndSaysSo() throws Exception {
    Connector connector = new Connector(channels, names);
    Connected connected = connect(listen(), Transport.DEFAULT);
    Connected changed = connector.change(connected, Transport.MPTCP);
    assertThat(changed.transport().used()).isEqualTo(Transport.DEFAULT);
    assertThat(changed.transport().refusal()).contains("made for another transport");
  }

  @Test
  void withoutEpollThereIsNoMptcp() {
    Channels nio = new NioChannels();
    assertThat(nio.capabilities().mptcp()).isFalse();
    assertThatThrownBy(() -> nio.newConnection(Transport.MPTCP))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("MPTCP");
    assertThat(channels.subflows(new EmbeddedChannel())).isZero();
  }

  private InetSocketAddress listen() throws InterruptedException {
    Channel listener =
        new ServerBootstrap()
            .group(group)
            .channelFactory(channels::newListener)
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) throws IOException {
                    channels.accepted(channel);
                    channel.pipeline().addLast(new Sink());
                    accepted.add(channel);
                  }
                })
            .bind(InetAddress.getLoopbackAddress(), 0)
            .sync()
            .channel();
    channels.listen(listener);
    return (InetSocketAddress) listener.localAddress();
  }

  private Connected connect(InetSocketAddress peer, Transport transport) throws Exception {
    return new Connector(channels, names)
        .connect(group.next(), peer, transport, 10_000, new Sink())
        .get(20, TimeUnit.SECONDS);
  }

  private static final class Sink extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ReferenceCountUtil.release(message);
    }
  }
}
