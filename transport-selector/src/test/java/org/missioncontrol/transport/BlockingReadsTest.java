/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollSocketChannel;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.missioncontrol.transport.linux.BlockingReads;

/** A thread reads the socket of a channel that its event loop leaves alone. */
@Timeout(30)
class BlockingReadsTest {
  private final ByteBuffer target = ByteBuffer.allocateDirect(16);
  private EpollEventLoopGroup loops;
  private Channel channel;
  private Socket peer;
  private BlockingReads reads;

  @BeforeEach
  void connect() throws IOException {
    assumeTrue(Epoll.isAvailable(), "needs Netty's epoll, which is Linux only");
    loops = new EpollEventLoopGroup(1);
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      channel =
          new Bootstrap()
              .group(loops)
              .channel(EpollSocketChannel.class)
              .option(ChannelOption.AUTO_READ, false)
              .handler(new ChannelInboundHandlerAdapter())
              .connect(listener.getLocalSocketAddress())
              .syncUninterruptibly()
              .channel();
      peer = listener.accept();
    }
    channel.deregister().syncUninterruptibly();
    reads = BlockingReads.of(channel);
  }

  @AfterEach
  void close() throws IOException {
    if (loops != null) {
      reads.close();
      peer.close();
      channel.close().syncUninterruptibly();
      loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
  }

  @Test
  void bytesComeAsTheyAreSentAndThenTheEnd() throws IOException {
    peer.getOutputStream().write(new byte[] {1, 2, 3});
    assertThat(reads.read(target, 0)).isEqualTo(3);
    assertThat(target.position()).isEqualTo(3);
    assertThat(target.get(2)).isEqualTo((byte) 3);
    peer.close();
    assertThat(reads.read(target, 0)).isEqualTo(-1);
  }

  @Test
  void aReaderWaitsForBytes() throws Exception {
    CompletableFuture<Integer> read = new CompletableFuture<>();
    Thread reader = reader(read);
    await().until(() -> reader.getState() == Thread.State.RUNNABLE);
    peer.getOutputStream().write(7);
    assertThat(read.get()).isEqualTo(1);
  }

  @Test
  void nothingInTimeIsToldApartFromTheEnd() throws IOException {
    assertThat(reads.read(target, 10)).isZero();
  }

  @Test
  void aReaderIsStoppedByAnotherThread() throws Exception {
    CompletableFuture<Integer> read = new CompletableFuture<>();
    reader(read);
    reads.stop();
    assertThat(read.get()).isEqualTo(-1);
  }

  @Test
  void aReaderCanBeInterrupted() {
    CompletableFuture<Integer> read = new CompletableFuture<>();
    reader(read).interrupt();
    assertThatThrownBy(read::get).hasCauseInstanceOf(InterruptedIOException.class);
  }

  @Test
  void theChannelGoesOnWhenTheReaderIsDone() throws IOException {
    long before = descriptors();
    reads.close();
    assertThat(descriptors()).isEqualTo(before - 1);
    assertThat(channel.isActive()).isTrue();
    reads.stop();
    peer.getOutputStream().write(1);
    assertThat(channel.isActive()).isTrue();
  }

  private Thread reader(CompletableFuture<Integer> read) {
    Thread thread =
        new Thread(
            () -> {
              try {
                read.complete(reads.read(target, 0));
              } catch (IOException e) {
                read.completeExceptionally(e);
              }
            });
    thread.start();
    return thread;
  }

  private static long descriptors() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.filter(BlockingReadsTest::isSocket).count();
    }
  }

  private static boolean isSocket(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
    } catch (IOException e) {
      return false;
    }
  }
}
