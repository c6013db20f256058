/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.crypto.SecretKey;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.missioncontrol.shuffle.throttle.MapFiles;
import org.missioncontrol.shuffle.throttle.Node;
import org.missioncontrol.shuffle.throttle.ThrottleCounter;
import org.missioncontrol.transport.linux.PassedFile;

@EnabledOnOs(OS.LINUX)
class LocalFilesTest {
  private static final int MAPS = 100;
  private static final String JOB = "job_1700000000000_0001";

  @TempDir private Path dir;
  private ReducerFixture reducer;
  private Node node;
  private MapOutputServer server;
  private Segments segments;
  private final Set<String> asked = ConcurrentHashMap.newKeySet();

  @BeforeEach
  void start() throws Exception {
    node = new Node(dir.resolve("nm"), 4);
    SecretKey secret = Node.secretOf(JOB);
    reducer = new ReducerFixture(dir, MAPS);
    reducer.secret = secret;
    reducer.localDirs = node.localDirs();
    segments = new Segments(reducer.job, null, MAPS, 10, 100);
    server =
        new MapOutputServer(
            request ->
                MapOutputServer.reply(
                    "200 OK",
                    request.replyHash(secret),
                    MapOutputServer.good(request, segments).bytes(),
                    MapOutputServer.good(request, segments).bytes().length));
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
    node.close();
  }

  /** Each output lies behind a partition of another reducer. */
  private MapFiles files() {
    return (job, attempt, reduce) -> {
      asked.add(job + " " + reduce);
      Segments.Segment segment = segments.of(MapOutputServer.number(attempt));
      byte[] other = new byte[77];
      Path file = Files.createTempFile(dir, "map", ".out");
      Files.write(file, join(other, segment.bytes()));
      return new MapFiles.MapFile(
          PassedFile.open(file, other.length), segment.bytes().length, segment.rawLength());
    };
  }

  private static byte[] join(byte[] first, byte[] second) {
    byte[] all = new byte[first.length + 2 * second.length];
    System.arraycopy(first, 0, all, 0, first.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }

  private void sorts() throws IOException, InterruptedException {
    reducer.mapsSucceeded(server.port(), 0, MAPS);
    assertThat(reducer.keys()).isEqualTo(segments.keys());
    assertThat(reducer.counter("test", "shuffledMaps")).isEqualTo(MAPS);
    assertThat(reducer.counter("test", "shuffleBytes")).isEqualTo(segments.totalBytes());
    assertThat(reducer.counter("test", "failedShuffle")).isZero();
    assertThat(
            reducer.ours(JobCounter.LOCAL_BYTES)
                + reducer.ours(JobCounter.PLAIN_BYTES)
                + reducer.ours(JobCounter.LEASED_BYTES))
        .isEqualTo(segments.totalBytes());
  }

  /** Threads of the NodeManager may be about to open and close one whose reducer has gone. */
  private static void assertNoOutputStaysOpen() {
    await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> assertThat(openOutputs()).isEmpty());
  }

  private static List<String> openOutputs() throws IOException {
    List<String> open = new ArrayList<>();
    try (var links = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path link : links) {
        String target = target(link);
        if (target.endsWith(".out")) {
          open.add(target);
        }
      }
    }
    return open;
  }

  private static String target(Path link) throws IOException {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (NoSuchFileException e) {
      return "";
    }
  }

  @Test
  void outputsOfTheOwnHostAreReadFromFilesWithoutAnyConnection() throws Exception {
    node.controller().passFiles(files(), server.port());
    sorts();
    assertThat(reducer.ours(JobCounter.LOCAL_BYTES)).isEqualTo(segments.totalBytes());
    assertThat(reducer.ours(JobCounter.LOCAL_OUTPUTS)).isEqualTo(MAPS);
    assertThat(reducer.ours(JobCounter.LOCAL_FALLBACKS)).isZero();
    assertThat(server.requests).isEmpty();
    assertThat(asked).containsExactly(JOB + " " + ReducerFixture.REDUCE);
    assertThat(node.controller().count(ThrottleCounter.LEASES_GRANTED)).isZero();
    assertThat(node.controller().count(ThrottleCounter.FILES_PASSED)).isEqualTo(MAPS);
    assertThat(node.controller().count(ThrottleCounter.FILE_BYTES_PASSED))
        .isEqualTo(segments.totalBytes());
    assertNoOutputStaysOpen();
  }

  @Test
  void outputThatTheNodeManagerRefusesAndTheRestAreFetched() throws Exception {
    MapFiles files = files();
    node.controller()
        .passFiles(
            (job, attempt, reduce) -> {
              if (MapOutputServer.number(attempt) == 40) {
                throw new IOException("Map output " + attempt + " is not on this host");
              }
              return files.open(job, attempt, reduce);
            },
            server.port());
    sorts();
    assertThat(reducer.ours(JobCounter.LOCAL_FALLBACKS)).isEqualTo(1);
    assertThat(reducer.ours(JobCounter.LOCAL_OUTPUTS)).isBetween(1L, MAPS - 1L);
    assertThat(server.requests).isNotEmpty();
    assertNoOutputStaysOpen();
  }

  private void assertAllFetchedOverTheNetwork() {
    assertThat(reducer.ours(JobCounter.LOCAL_BYTES)).isZero();
    assertThat(server.requests).isNotEmpty();
    assertNoOutputStaysOpen();
  }

  @Test
  void nothingIsAskedForWhereTheKeySaysNo() throws Exception {
    reducer.job.setBoolean("mapreduce.mission-control.local-files.enabled", false);
    node.controller().passFiles(files(), server.port());
    sorts();
    assertAllFetchedOverTheNetwork();
    assertThat(reducer.ours(JobCounter.LEASED_BYTES)).isEqualTo(segments.totalBytes());
    assertThat(asked).isEmpty();
  }

  @Test
  void outputsOfAnotherNodeManagerOnThisHostAreFetched() throws Exception {
    node.controller().passFiles(files(), server.port() + 1);
    sorts();
    assertAllFetchedOverTheNetwork();
    assertThat(reducer.ours(JobCounter.LOCAL_FALLBACKS)).isZero();
    assertThat(asked).isEmpty();
  }

  @Test
  void nodeManagerThatPassesNoFilesIsAskedForFlows() throws Exception {
    sorts();
    assertAllFetchedOverTheNetwork();
    assertThat(reducer.ours(JobCounter.LEASED_BYTES)).isEqualTo(segments.totalBytes());
    assertThat(reducer.ours(JobCounter.LOCAL_FALLBACKS)).isZero();
  }

  @Test
  void fileThatIsCutIsFetched() throws Exception {
    damaged(30, bytes -> Arrays.copyOf(bytes, bytes.length / 2));
  }

  @Test
  void fileWithABadByteIsFetched() throws Exception {
    damaged(
        70,
        bytes -> {
          byte[] bad = bytes.clone();
          bad[bad.length / 2] ^= 1;
          return bad;
        });
  }

  private void damaged(int map, UnaryOperator<byte[]> damage) throws Exception {
    MapFiles good = files();
    node.controller()
        .passFiles(
            (job, attempt, reduce) -> {
              if (MapOutputServer.number(attempt) != map) {
                return good.open(job, attempt, reduce);
              }
              Segments.Segment segment = segments.of(map);
              Path file = Files.createTempFile(dir, "bad", ".out");
              Files.write(file, damage.apply(segment.bytes()));
              return new MapFiles.MapFile(
                  PassedFile.open(file, 0), segment.bytes().length, segment.rawLength());
            },
            server.port());
    sorts();
    assertThat(reducer.ours(JobCounter.LOCAL_FALLBACKS)).isEqualTo(1);
    assertThat(reducer.ours(JobCounter.LOCAL_OUTPUTS)).isBetween(1L, MAPS - 1L);
    assertThat(server.requests).isNotEmpty();
    assertNoOutputStaysOpen();
  }

  @Test
  void outputsOnADiskThatHangsAreFetchedAfterTheTimeoutOfLocalFiles() throws Exception {
    reducer.job.setInt("mapreduce.mission-control.local-files.timeout-ms", 300);
    CountDownLatch end = new CountDownLatch(1);
    MapFiles good = files();
    node.controller()
        .passFiles(
            (job, attempt, reduce) -> {
              try {
                end.await();
              } catch (InterruptedException e) {
                throw new IOException(e);
              }
              return good.open(job, attempt, reduce);
            },
            server.port());
    try {
      sorts();
    } finally {
      end.countDown();
    }
    assertAllFetchedOverTheNetwork();
    assertThat(reducer.ours(JobCounter.LOCAL_FALLBACKS)).isEqualTo(1);
  }

  @Test
  void nodeManagerThatGoesAwayInTheMiddleLosesNothing() throws Exception {
    reducer.job.setInt("mapreduce.mission-control.door.timeout-ms", 300);
    MapFiles good = files();
    AtomicInteger opened = new AtomicInteger();
    node.controller()
        .passFiles(
            (job, attempt, reduce) -> {
              if (opened.incrementAndGet() == MAPS / 2) {
                new Thread(this::closeNode).start();
              }
              return good.open(job, attempt, reduce);
            },
            server.port());
    sorts();
    assertNoOutputStaysOpen();
  }

  private void closeNode() {
    try {
      node.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void outputsTooLargeForMemoryGoToDisk() throws Exception {
    reducer.job.setLong("mapreduce.reduce.memory.totalbytes", 1 << 20);
    segments = new Segments(reducer.job, null, MAPS, 300, 1000);
    node.controller().passFiles(files(), server.port());
    sorts();
    assertThat(reducer.ours(JobCounter.LOCAL_OUTPUTS)).isEqualTo(MAPS);
  }

  @Test
  void compressedOutputsOfManyPieces() throws Exception {
    DefaultCodec codec = new DefaultCodec();
    codec.setConf(reducer.job);
    reducer.codec = codec;
    segments = new Segments(reducer.job, codec, MAPS, 2000, 300);
    node.controller().passFiles(files(), server.port());
    sorts();
    assertThat(reducer.ours(JobCounter.LOCAL_OUTPUTS)).isEqualTo(MAPS);
  }

  @Test
  void requiredEncryptionConcernsWhatCrossesTheNetworkOnly() throws Exception {
    reducer.job.set("mapreduce.mission-control.encryption", "required");
    node.controller().passFiles(files(), server.port());
    sorts();
    assertThat(reducer.ours(JobCounter.LOCAL_OUTPUTS)).isEqualTo(MAPS);
    assertThat(server.requests).isEmpty();
  }
}
