/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.missioncontrol.transport.linux.BlockingReads;

/** The rest of a reply with two outputs of three bytes each, read from its socket. */
@Timeout(30)
class SocketBodyTest {
  private static final MapAttempt FIRST = new MapAttempt("attempt_1_0001_m_000000_0", 0);
  private static final MapAttempt SECOND = new MapAttempt("attempt_1_0001_m_000001_0", 1);

  private final UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(true);
  private final AtomicInteger ended = new AtomicInteger();
  private final byte[] bytes =
      new MapOutputServer.Body()
          .header(FIRST.id(), 3, 3, ReducerFixture.REDUCE)
          .raw(new byte[] {1, 2, 3})
          .header(SECOND.id(), 3, 3, ReducerFixture.REDUCE)
          .raw(new byte[] {4, 5, 6})
          .bytes();
  private int ofNext;
  private EpollEventLoopGroup loops;
  private Channel channel;
  private Socket peer;

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
              .option(ChannelOption.ALLOCATOR, memory)
              .handler(new ChannelInboundHandlerAdapter())
              .connect(listener.getLocalSocketAddress())
              .syncUninterruptibly()
              .channel();
      peer = listener.accept();
    }
    channel.deregister().syncUninterruptibly();
  }

  @AfterEach
  void noMemoryIsHeld() throws IOException {
    if (loops != null) {
      peer.close();
      channel.close().syncUninterruptibly();
      loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
      assertThat(memory.metric().usedDirectMemory()).isZero();
    }
  }

  private SocketBody body() throws IOException {
    return body(bytes.length);
  }

  private SocketBody body(int length) throws IOException {
    return body(BodyReads.clear(BlockingReads.of(channel), channel.alloc()), length);
  }

  private SocketBody body(BodyReads reads, int length) {
    MapServer server = new MapServer("localhost", 1, "");
    MapOutputRequest asked =
        new MapOutputRequest(server, List.of(FIRST, SECOND), ReducerFixture.REDUCE, "", "");
    return new SocketBody(channel, reads, new MapOutputDecoder(asked, true, length), this::end);
  }

  private void end(ByteBuf next) {
    ended.incrementAndGet();
    ofNext = next.readableBytes();
    next.release();
  }

  @Test
  void outputsComeOneAfterTheOtherAndThenTheEnd() throws Exception {
    peer.getOutputStream().write(bytes);
    SocketBody body = body();
    for (MapAttempt map : List.of(FIRST, SECOND)) {
      assertThat(((Reply.Output) body.take(0)).attempt()).isEqualTo(map);
      Reply.Bytes content = (Reply.Bytes) body.take(0);
      assertThat(content.data().readableBytes()).isEqualTo(3);
      content.data().release();
    }
    assertThat(ended).hasValue(0);
    assertThat(body.take(0)).isInstanceOf(Reply.End.class);
    assertThat(ended).hasValue(1);
  }

  @Test
  void whatWasReadAndNotTakenIsGivenBackByWhoLeaves() throws Exception {
    peer.getOutputStream().write(bytes);
    SocketBody body = body();
    assertThat(body.take(0)).isInstanceOf(Reply.Output.class);
    body.close();
    body.close();
    assertThat(ended).hasValue(0);
  }

  @Test
  void anEarlyEndAndSilenceAreToldApart() throws Exception {
    peer.getOutputStream().write(bytes, 0, bytes.length - 4);
    try (SocketBody body = body()) {
      body.take(0);
      ((Reply.Bytes) body.take(0)).data().release();
      assertThatThrownBy(() -> body.take(20)).hasMessageContaining("not one byte");
      peer.close();
      assertThatThrownBy(() -> body.take(0)).hasMessageContaining("ended its reply early");
    }
  }

  @Test
  void aBodyThatEndsInAHeaderIsCutAndNothingMoreIsWaitedFor() throws Exception {
    int length = bytes.length / 2 + 5;
    peer.getOutputStream().write(bytes, 0, length);
    try (SocketBody body = body(length)) {
      body.take(0);
      ((Reply.Bytes) body.take(0)).data().release();
      assertThatThrownBy(() -> body.take(0)).hasMessageContaining("ended its reply early");
    }
  }

  @Test
  void whatComesAfterTheBodyIsLeftAloneThoughAHeaderCameInPieces() throws Exception {
    peer.getOutputStream().write(bytes, 0, bytes.length / 2 + 5);
    SocketBody body = body();
    body.take(0);
    ((Reply.Bytes) body.take(0)).data().release();
    peer.getOutputStream().write(bytes, bytes.length / 2 + 5, bytes.length - bytes.length / 2 - 5);
    peer.getOutputStream().write(7);
    assertThat(((Reply.Output) body.take(0)).attempt()).isEqualTo(SECOND);
    ((Reply.Bytes) body.take(0)).data().release();
    assertThat(body.take(0)).isInstanceOf(Reply.End.class);
  }

  @Test
  void whatWasReadOfTheNextReplyIsHandedOn() throws Exception {
    ByteBuf all = Unpooled.wrappedBuffer(bytes, new byte[] {7, 8});
    SocketBody body = body(new Read(all), bytes.length);
    for (int item = 0; item < 4; item++) {
      if (body.take(0) instanceof Reply.Bytes content) {
        content.data().release();
      }
    }
    assertThat(body.take(0)).isInstanceOf(Reply.End.class);
    assertThat(ofNext).isEqualTo(2);
  }

  /** All in one read. */
  private record Read(ByteBuf buffer) implements BodyReads {
    @Override
    public int read(long most, long timeoutMs) {
      return buffer.readableBytes();
    }

    @Override
    public void stop() {}

    @Override
    public void close() {
      buffer.release();
    }
  }

  @Test
  void aChannelThatIsClosedIsNotRead() {
    channel.close().syncUninterruptibly();
    assertThatThrownBy(this::body).isInstanceOf(ClosedChannelException.class);
  }
}
