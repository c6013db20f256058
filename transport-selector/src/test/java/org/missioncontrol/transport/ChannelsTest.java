/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.missioncontrol.transport.linux.BlockingReads;
import org.missioncontrol.transport.linux.PassedFile;

class ChannelsTest {
  private final Channels nio = new NioChannels();

  @Test
  @EnabledOnOs(OS.LINUX)
  void linuxHasEpollAndTellsItsAlgorithms() {
    HostCapabilities host = Channels.detect().capabilities();
    assertThat(host.epoll()).isTrue();
    assertThat(host.congestionControls())
        .contains("reno")
        .contains(host.defaultCongestionControl());
  }

  @ParameterizedTest
  @ValueSource(strings = {"reno", "cubic", "default"})
  @EnabledOnOs(OS.LINUX)
  void kernelConfirmsTheTransportOfAConnectedSocket(String name) throws Exception {
    Channels epoll = Channels.detect();
    String expected =
        name.equals("default") ? epoll.capabilities().defaultCongestionControl() : name;
    assertThat(connectedWith(epoll, new Transport(name))).isEqualTo(expected);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void kernelsRefusalNamesTransportSocketAndWhatThereIs() {
    Channels epoll = Channels.detect();
    assertThatThrownBy(() -> connectedWith(epoll, new Transport("nosuch")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("nosuch")
        .hasMessageContaining("127.0.0.1")
        .hasMessageContaining(String.join(", ", epoll.capabilities().congestionControls()));
  }

  @Test
  void nioConnectsWithTheDefaultAndRefusesAllElse() throws Exception {
    assertThat(nio.capabilities().epoll()).isFalse();
    assertThat(connectedWith(nio, Transport.DEFAULT)).isEqualTo(Channels.UNKNOWN);
    assertThatThrownBy(() -> connectedWith(nio, new Transport("reno")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("reno")
        .hasMessageContaining("no choice");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void channelThatIsNoSocketIsUnknownAndRefused() {
    Channels epoll = Channels.detect();
    EmbeddedChannel none = new EmbeddedChannel();
    assertThat(epoll.congestionControl(none)).isEqualTo(Channels.UNKNOWN);
    assertThatThrownBy(() -> epoll.apply(new Transport("reno"), none))
        .isInstanceOf(IOException.class);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void theKernelTellsHowMuchASocketHasReceivedReadOrNot() throws Exception {
    Channels epoll = Channels.detect();
    EventLoopGroup group = epoll.newEventLoopGroup(1, "test");
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      Channel client =
          new Bootstrap()
              .group(group)
              .channelFactory(() -> plain(epoll))
              .option(ChannelOption.AUTO_READ, false)
              .handler(new ChannelInboundHandlerAdapter())
              .connect("127.0.0.1", server.getLocalPort())
              .sync()
              .channel();
      assertThat(epoll.bytesReceived(client)).isZero();
      try (Socket peer = server.accept()) {
        peer.getOutputStream().write(new byte[12_345]);
        Awaitility.await().until(() -> epoll.bytesReceived(client), received -> received == 12_345);
      }
      client.close().sync();
      assertThat(epoll.bytesReceived(client)).isEqualTo(-1);
      assertThat(epoll.bytesReceived(new EmbeddedChannel())).isEqualTo(-1);
      assertThat(nio.bytesReceived(client)).isEqualTo(-1);
    } finally {
      group.shutdownGracefully(0, 1, java.util.concurrent.TimeUnit.SECONDS).sync();
    }
  }

  @Test
  void eventLoopsAreDaemonsWithTheGivenName() throws Exception {
    EventLoopGroup group = Channels.detect().newEventLoopGroup(1, "loops");
    try {
      Thread thread = group.submit(Thread::currentThread).get();
      assertThat(thread.isDaemon()).isTrue();
      assertThat(thread.getName()).startsWith("loops-");
    } finally {
      group.shutdownGracefully().sync();
    }
  }

  private static Channel plain(Channels channels) {
    try {
      return channels.newConnection(Transport.DEFAULT);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String connectedWith(Channels channels, Transport transport) throws Exception {
    EventLoopGroup group = channels.newEventLoopGroup(1, "test");
    try {
      Channel server =
          new ServerBootstrap()
              .group(group)
              .channelFactory(channels::newListener)
              .childHandler(new ChannelInboundHandlerAdapter())
              .bind(InetAddress.getByName("127.0.0.1"), 0)
              .sync()
              .channel();
      int port = ((InetSocketAddress) server.localAddress()).getPort();
      Channel client =
          new Bootstrap()
              .group(group)
              .channelFactory(() -> plain(channels))
              .handler(new ChannelInboundHandlerAdapter())
              .connect("127.0.0.1", port)
              .sync()
              .channel();
      channels.apply(transport, client);
      return channels.congestionControl(client);
    } finally {
      group.shutdownGracefully(0, 1, java.util.concurrent.TimeUnit.SECONDS).sync();
    }
  }

  @Test
  void withoutJnaOnTheClassPathThereIsNoMptcpAndNoErrorEscapes() throws Exception {
    List<URL> withoutJna = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (!Path.of(entry).getFileName().toString().startsWith("jna")) {
        withoutJna.add(Path.of(entry).toUri().toURL());
      }
    }
    try (URLClassLoader loader =
        new URLClassLoader(withoutJna.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      Class<?> type = loader.loadClass(Channels.class.getName());
      Object here = type.getMethod("detect").invoke(null);
      Object capabilities = type.getMethod("capabilities").invoke(here);
      assertThat(capabilities.getClass().getMethod("mptcp").invoke(capabilities)).isEqualTo(false);
      type.getMethod("newListener").invoke(here);
      Class<?> reads = loader.loadClass(BlockingReads.class.getName());
      Class<?> channel = loader.loadClass(Channel.class.getName());
      Object socket =
          loader.loadClass(EpollSocketChannel.class.getName()).getConstructor().newInstance();
      assertThat(reads.getMethod("possible", channel).invoke(null, socket)).isEqualTo(false);
      Method open =
          loader.loadClass(PassedFile.class.getName()).getMethod("open", Path.class, long.class);
      assertThatThrownBy(() -> open.invoke(null, Path.of("/dev/null"), 0L))
          .rootCause()
          .hasMessageContaining("jna");
    }
  }
}
