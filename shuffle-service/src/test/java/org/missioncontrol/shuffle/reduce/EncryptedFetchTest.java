/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.HttpRequestEncoder;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.missioncontrol.shuffle.server.ServerCounter;
import org.missioncontrol.shuffle.wire.TlsProof;

/** What somebody on the way can see and do, with map hosts that encrypt and such that do not. */
@Timeout(120)
class EncryptedFetchTest {
  private static final int MAPS = 6;
  private static final String ENCRYPTION = "mapreduce.mission-control.encryption";

  @TempDir Path directory;
  private ReducerFixture reducer;
  private Segments segments;
  private Between between;
  private final Map<ServerCounter, Long> counts = new ConcurrentHashMap<>();

  @BeforeEach
  void setUp() throws IOException {
    reducer = new ReducerFixture(directory, MAPS);
    reducer.job.set(ENCRYPTION, "required");
    reducer.job.setInt("mapreduce.reduce.shuffle.read.timeout", 30_000);
    reducer.job.setInt(
        "mapreduce.mission-control.fetch.copier-reads-from-bytes", copierReadsFrom());
    segments = new Segments(reducer.job, null, MAPS, 30, 1000);
    between = new Between();
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    between.close();
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(ReducerFixture.shuffleThreads()).isEmpty());
  }

  /** Bytes of a reply from which on a copier decrypts it. */
  int copierReadsFrom() {
    return 1 << 20;
  }

  private MapHost ours(String... conf) throws Exception {
    MapHost host =
        MapHost.ours(
            directory.resolve("host"),
            segments,
            MAPS,
            between.port(),
            (counter, amount) -> counts.merge(counter, amount, Long::sum),
            conf);
    between.before(host.port());
    reducer.mapsSucceeded(between.port(), 0, MAPS);
    return host;
  }

  private void fetchesAll() throws Exception {
    assertThat(reducer.keys()).isEqualTo(segments.keys());
    assertThat(reducer.counter("test", "shuffleBytes")).isEqualTo(segments.totalBytes());
  }

  private void allWasEncrypted() {
    assertThat(reducer.ours(JobCounter.ENCRYPTED_BYTES)).isEqualTo(segments.totalBytes());
  }

  private static String slice(Segments.Segment segment) {
    return new String(segment.bytes(), 200, 24, ISO_8859_1);
  }

  @Test
  void aTapSeesNothingOfRequestsOrOutputs() throws Exception {
    try (MapHost host = ours()) {
      fetchesAll();
    }
    allWasEncrypted();
    assertThat(reducer.ours(JobCounter.ENCRYPTION_REFUSED)).isZero();
    assertThat(between.seen().length()).isGreaterThan((int) segments.totalBytes());
    assertThat(between.seen()).doesNotContain("mapOutput", "UrlHash", "job_17", "attempt_17");
    for (int map = 0; map < MAPS; map++) {
      assertThat(between.seen().contains(slice(segments.of(map)))).as("map %s", map).isFalse();
    }
    assertThat(counts.get(ServerCounter.ENCRYPTED_BYTES))
        .isEqualTo(counts.get(ServerCounter.OUTPUT_BYTES));
    assertThat(counts.get(ServerCounter.TLS_CONNECTIONS)).isEqualTo(between.connections());
  }

  @Test
  void manyBatchesAreAskedForAheadAndNoneIsTakenForAnother() throws Exception {
    reducer.job.setInt("mapreduce.mission-control.fetch.maps-per-batch", 1);
    reducer.job.setInt("mapreduce.reduce.shuffle.parallelcopies", 1);
    try (MapHost host = ours()) {
      fetchesAll();
    }
    allWasEncrypted();
    assertThat(reducer.ours(JobCounter.BATCHES_AHEAD)).isPositive();
    assertThat(reducer.ours(JobCounter.HOST_PENALTIES)).isZero();
    assertThat(between.connections()).isEqualTo(1);
  }

  @Test
  void withoutEncryptionTheTapSeesEverything() throws Exception {
    reducer.job.set(ENCRYPTION, "off");
    try (MapHost host = ours()) {
      fetchesAll();
    }
    assertThat(between.seen()).contains("mapOutput", "UrlHash");
    for (int map = 0; map < MAPS; map++) {
      assertThat(between.seen().contains(slice(segments.of(map)))).as("map %s", map).isTrue();
    }
    assertThat(reducer.ours(JobCounter.ENCRYPTED_BYTES)).isZero();
  }

  @Test
  void preferredEncryptsWhereTheHostCan() throws Exception {
    reducer.job.set(ENCRYPTION, "preferred");
    try (MapHost host = ours()) {
      fetchesAll();
    }
    allWasEncrypted();
  }

  @Test
  void whoEndsTheTlsHimselfIsRefusedBeforeAnythingIsAsked() throws Exception {
    SSLContext own = OwnKey.context(directory);
    StringBuilder decrypted = new StringBuilder();
    between.firstTime(
        socket -> {
          Socket inside = between.ownTls(own, socket);
          decrypted.append(between.head(inside));
          // He passes the question on to the host, and the host's answer back.
          Socket host = new Socket(InetAddress.getByName("localhost"), hostPort);
          try (Socket honest = Between.tlsTo(host)) {
            honest.getOutputStream().write(decrypted.toString().getBytes(ISO_8859_1));
            String answer = between.head(honest);
            decrypted.append(answer);
            inside.getOutputStream().write(answer.getBytes(ISO_8859_1));
            inside.getOutputStream().flush();
            decrypted.append(between.head(inside));
          }
        });
    refusedOnceThenFetched();
    assertThat(decrypted.toString())
        .startsWith("GET /missionControl/v1/tls?job=")
        .contains("200 OK", TlsProof.HEADER)
        .doesNotContain("mapOutput", "UrlHash");
  }

  private volatile int hostPort;

  private void refusedOnceThenFetched() throws Exception {
    try (MapHost host = ours()) {
      hostPort = host.port();
      fetchesAll();
    }
    allWasEncrypted();
    assertThat(reducer.ours(JobCounter.ENCRYPTION_REFUSED)).isEqualTo(1);
    assertThat(reducer.ours(JobCounter.HOST_PENALTIES)).isEqualTo(1);
    assertThat(reducer.status.reported).isEmpty();
    assertThat(between.seen()).doesNotContain("mapOutput", "UrlHash");
  }

  @Test
  void aRecordedProofIsWorthNothing() throws Exception {
    SSLContext own = OwnKey.context(directory);
    between.firstTime(
        socket -> {
          Socket host = new Socket(InetAddress.getByName("localhost"), hostPort);
          String recorded;
          try (Socket honest = Between.tlsTo(host)) {
            String ask =
                "GET "
                    + TlsProof.uri("job_1700000000000_0001", "0".repeat(64))
                    + " HTTP/1.1\r\n\r\n";
            honest.getOutputStream().write(ask.getBytes(ISO_8859_1));
            recorded = between.head(honest);
          }
          assertThat(recorded).contains("200 OK", TlsProof.HEADER);
          Socket inside = between.ownTls(own, socket);
          between.head(inside);
          inside.getOutputStream().write(recorded.getBytes(ISO_8859_1));
          inside.getOutputStream().flush();
          between.head(inside);
        });
    refusedOnceThenFetched();
  }

  @Test
  void anAnswerInClearDoesNotMakeARequiredJobGoOnInClear() throws Exception {
    between.firstTime(
        socket -> {
          socket
              .getOutputStream()
              .write("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n".getBytes(ISO_8859_1));
          socket.getOutputStream().flush();
          while (socket.getInputStream().read() >= 0) {}
        });
    refusedOnceThenFetched();
  }

  @Test
  void aHostThatIsFullSaysSoInsideTls() throws Exception {
    try (MapHost host = ours("mapreduce.shuffle.max.connections", "1");
        Socket other = new Socket(InetAddress.getByName("localhost"), host.port())) {
      Thread leaver =
          new Thread(
              () -> {
                await().until(() -> counts.containsKey(ServerCounter.CONNECTIONS_REFUSED));
                try {
                  other.close();
                } catch (IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              });
      await().until(() -> counts.containsKey(ServerCounter.CONNECTIONS_OPENED));
      leaver.start();
      fetchesAll();
      leaver.join();
    }
    allWasEncrypted();
    assertThat(reducer.ours(JobCounter.ENCRYPTION_REFUSED)).isZero();
    assertThat(reducer.ours(JobCounter.HOST_PENALTIES)).isZero();
  }

  @Test
  void fromAStockHandlerARequiredJobTakesNothing() throws Exception {
    reducer.job.setInt("mapreduce.reduce.shuffle.max-host-failures", 1);
    try (MapHost host = MapHost.stock(directory.resolve("host"), segments, MAPS)) {
      between.before(host.port());
      reducer.mapsSucceeded(between.port(), 0, MAPS);
      Thread thread = Thread.currentThread();
      Thread ender =
          new Thread(
              () -> {
                await().until(() -> reducer.status.reported.size() >= MAPS);
                thread.interrupt();
              });
      ender.start();
      org.assertj.core.api.Assertions.assertThatThrownBy(reducer::run)
          .isInstanceOfAny(InterruptedException.class, IOException.class);
      ender.join();
    }
    assertThat(reducer.ours(JobCounter.ENCRYPTION_REFUSED)).isPositive();
    assertThat(reducer.counter("test", "shuffleBytes")).isZero();
    assertThat(between.seen()).contains("HTTP/1.1 400").doesNotContain("mapOutput", "UrlHash");
  }

  @Test
  void fromAStockHandlerAPreferringJobFetchesInClearVisibly() throws Exception {
    reducer.job.set(ENCRYPTION, "preferred");
    try (MapHost host = MapHost.stock(directory.resolve("host"), segments, MAPS)) {
      reducer.mapsSucceeded(host.port(), 0, MAPS);
      fetchesAll();
    }
    assertThat(reducer.ours(JobCounter.ENCRYPTED_BYTES)).isZero();
    assertThat(reducer.ours(JobCounter.ENCRYPTION_REFUSED)).isEqualTo(1);
    assertThat(reducer.ours(JobCounter.HOST_PENALTIES)).isZero();
  }

  @Test
  void laterConnectionsToAHostResumeTheSession() throws Exception {
    SecretTls guard = new SecretTls("job_1700000000000_0001", ReducerFixture.SECRET, true);
    EventLoopGroup loop = new NioEventLoopGroup(1);
    try (MapHost host = ours()) {
      MapServer server = new MapServer("localhost", host.port(), "");
      for (int i = 0; i < 4; i++) {
        SslHandler tls = guard.newHandler(server);
        Channel channel =
            new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .handler(
                    new ChannelInitializer<Channel>() {
                      @Override
                      protected void initChannel(Channel made) {
                        made.pipeline()
                            .addLast(tls, new HttpRequestEncoder(), new HttpResponseDecoder());
                      }
                    })
                .connect("localhost", host.port())
                .sync()
                .channel();
        guard.verify(channel, tls, server, 30_000);
        // After an answer, the server's ticket for the next session is here.
        ProofExchange.ask(
            channel, server, TlsProof.uri("job_1700000000000_0001", "0".repeat(64)), 30_000);
        channel.close().sync();
      }
    } finally {
      loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).sync();
    }
    assertThat(guard.fullHandshakes()).isEqualTo(1);
  }
}
