/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.missioncontrol.shuffle.server.MapOutputs.attempt;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.missioncontrol.conf.ServerConfig;
import org.missioncontrol.shuffle.server.RawClient.Reply;
import org.missioncontrol.transport.Channels;
import org.missioncontrol.transport.NioChannels;
import org.missioncontrol.transport.linux.EpollChannels;

/** What holds for every way of sending a file. */
class SendingTest {
  private static final int SIZE = 3_000_000;
  private static final long HUGE = 256L << 20;
  private static final String OUTPUT = "/mapOutput?job=" + MapOutputs.JOB + "&reduce=0&map=";

  /** The ways. */
  enum Way {
    EPOLL_SENDFILE(true, true, false),
    EPOLL_COPY(true, false, false),
    EPOLL_TLS(true, true, true),
    NIO_SENDFILE(false, true, false),
    NIO_COPY(false, false, false),
    NIO_TLS(false, true, true);

    private final boolean epoll;
    private final boolean sendfile;
    private final boolean tls;

    Way(boolean epoll, boolean sendfile, boolean tls) {
      this.epoll = epoll;
      this.sendfile = sendfile;
      this.tls = tls;
    }
  }

  @TempDir private static Path keys;
  private static TestTls tls;
  private static Leaks leaks;

  @TempDir private Path dir;
  private MapOutputs outputs;
  private final Counts counts = new Counts();

  @BeforeAll
  static void makeKeys() throws Exception {
    tls = new TestTls(keys);
    leaks = new Leaks();
  }

  @AfterAll
  static void everyBufferIsReleased() {
    assertThat(leaks.find()).isEmpty();
  }

  @BeforeEach
  void write() {
    outputs = new MapOutputs(dir);
  }

  @ParameterizedTest
  @EnumSource
  void everyByteArrivesAndIsCounted(Way way) throws IOException {
    for (int map = 0; map < 3; map++) {
      outputs.write(map, MapOutputs.bytes(SIZE + map, map));
    }
    outputs.write(3, MapOutputs.bytes(100, 3));
    try (ShuffleServer server = start(way);
        RawClient client = connect(way, server)) {
      String uri = OUTPUT + attempt(0) + "," + attempt(3) + "," + attempt(1) + "," + attempt(2);
      Reply reply = client.send(RawClient.get(server.port(), uri)).reply();
      assertThat(reply.cut()).isFalse();
      Body body = new Body(reply.body());
      for (int map : new int[] {0, 3, 1, 2}) {
        int size = map == 3 ? 100 : SIZE + map;
        assertThat(body.header().partLength()).isEqualTo(size);
        assertThat(body.bytes(size)).isEqualTo(MapOutputs.bytes(size, map));
      }
      assertThat(client.closed()).isTrue();
      await().until(() -> counts.of(ServerCounter.CONNECTIONS_CLOSED) == 1);
    }
    assertThat(counts.of(ServerCounter.OUTPUTS_STARTED)).isEqualTo(4);
    assertThat(counts.of(ServerCounter.OUTPUTS_SENT)).isEqualTo(4);
    assertThat(counts.of(ServerCounter.OUTPUTS_FAILED)).isZero();
    assertThat(counts.of(ServerCounter.OUTPUT_BYTES)).isEqualTo(3L * SIZE + 3 + 100);
    assertThat(counts.of(ServerCounter.CONNECTIONS_OPENED)).isEqualTo(1);
    assertNothingIsLeft();
  }

  @ParameterizedTest
  @EnumSource
  void aFileCutUnderWayClosesTheConnection(Way way) throws IOException {
    outputs.write(0, new byte[0]);
    outputs.writeIndex(0, new long[] {0, HUGE, HUGE});
    resize(HUGE);
    try (ShuffleServer server = start(way);
        RawClient client = connect(way, server)) {
      client.send(RawClient.get(server.port(), OUTPUT + attempt(0)));
      Reply reply = client.reply(() -> resize(1000));
      assertThat(reply.headers().get("content-length")).startsWith("2684");
      assertThat(reply.cut()).isTrue();
      await().until(() -> counts.of(ServerCounter.CONNECTIONS_CLOSED) == 1);
      assertThat(counts.of(ServerCounter.OUTPUTS_FAILED)).isEqualTo(1);
      assertThat(counts.of(ServerCounter.OUTPUTS_SENT)).isZero();
    }
    assertNothingIsLeft();
  }

  @ParameterizedTest
  @EnumSource
  void aClientThatGoesAwayLeavesNothingOpen(Way way) throws IOException {
    outputs.write(0, new byte[0]);
    outputs.writeIndex(0, new long[] {0, HUGE, HUGE});
    resize(HUGE);
    outputs.write(1, MapOutputs.bytes(SIZE, 1));
    try (ShuffleServer server = start(way)) {
      try (RawClient client = connect(way, server)) {
        client.send(RawClient.get(server.port(), OUTPUT + attempt(0) + "," + attempt(1)));
        await().until(() -> counts.of(ServerCounter.OUTPUTS_STARTED) == 1);
      }
      await().until(() -> counts.of(ServerCounter.CONNECTIONS_CLOSED) == 1);
      await().until(() -> counts.of(ServerCounter.OUTPUTS_FAILED) == 1);
      await().until(() -> openMapOutputs().isEmpty());
    }
    assertNothingIsLeft();
  }

  @ParameterizedTest
  @EnumSource
  void stoppingTheServerCutsWhatIsUnderWay(Way way) throws IOException {
    outputs.write(0, new byte[0]);
    outputs.writeIndex(0, new long[] {0, HUGE, HUGE});
    resize(HUGE);
    try (ShuffleServer server = start(way);
        RawClient client = connect(way, server)) {
      client.send(RawClient.get(server.port(), OUTPUT + attempt(0)));
      await().until(() -> counts.of(ServerCounter.OUTPUTS_STARTED) == 1);
      server.close();
      assertThat(counts.of(ServerCounter.CONNECTIONS_CLOSED)).isEqualTo(1);
      assertNothingIsLeft();
    }
  }

  private ShuffleServer start(Way way) throws IOException {
    assumeTrue(!way.epoll || EpollChannels.available());
    Channels channels = way.epoll ? new EpollChannels() : new NioChannels();
    ServerConfig config = Servers.config("mapreduce.shuffle.transferTo.allowed", way.sendfile);
    return Servers.start(config, channels, outputs, counts, way.tls ? tls : null);
  }

  /** With a small buffer, so that a large body is still under way when the test acts. */
  private RawClient connect(Way way, ShuffleServer server) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(32 << 10);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
    return new RawClient(way.tls ? tls.over(socket) : socket);
  }

  private void resize(long length) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(outputs.data(0).toFile(), "rw")) {
      file.setLength(length);
    }
  }

  private void assertNothingIsLeft() throws IOException {
    assertThat(openMapOutputs()).isEmpty();
    // Netty says that a loop has ended a moment before its thread has.
    await()
        .untilAsserted(
            () ->
                assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .noneMatch(name -> name.startsWith("shuffle-")));
  }

  private List<String> openMapOutputs() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.map(SendingTest::target).filter(path -> path.contains(dir.toString())).toList();
    }
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException closedMeanwhile) {
      return "";
    }
  }
}
