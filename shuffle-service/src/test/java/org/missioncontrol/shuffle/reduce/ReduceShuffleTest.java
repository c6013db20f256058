/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.missioncontrol.scheduler.security.JobHash;

/** The real merge, fed over real sockets. */
@Timeout(60)
class ReduceShuffleTest {
  private static final int MAPS = 30;

  @TempDir Path directory;
  private ReducerFixture reducer;

  @BeforeEach
  void setUp() {
    reducer = new ReducerFixture(directory, MAPS);
  }

  @AfterEach
  void noThreadIsLeft() {
    await()
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(() -> assertThat(ReducerFixture.shuffleThreads()).isEmpty());
  }

  private Segments segments(int records, int valueBytes) {
    return new Segments(reducer.job, reducer.codec, MAPS, records, valueBytes);
  }

  private void sorts(Segments segments, String... headers) throws Exception {
    try (MapOutputServer server =
        new MapOutputServer(
            request ->
                MapOutputServer.ok(
                    request, MapOutputServer.good(request, segments).bytes(), headers))) {
      reducer.mapsSucceeded(server.port(), 0, MAPS);
      assertThat(reducer.keys()).isEqualTo(segments.keys());
    }
    assertThat(reducer.counter("test", "shuffledMaps")).isEqualTo(MAPS);
    assertThat(reducer.counter("test", "merged")).isEqualTo(MAPS);
    assertThat(reducer.counter("test", "shuffleBytes"))
        .isEqualTo(reducer.ours(JobCounter.PLAIN_BYTES) + reducer.ours(JobCounter.LEASED_BYTES));
    if (!reducer.job.getBoolean("mapreduce.job.encrypted-intermediate-data", false)) {
      assertThat(reducer.counter("test", "shuffleBytes")).isEqualTo(segments.totalBytes());
    }
    assertThat(reducer.counter("test", "failedShuffle")).isZero();
  }

  @Test
  void plainOutputsInMemory() throws Exception {
    sorts(segments(10, 100));
    assertThat(reducer.copyPhase.get()).isEqualTo(1);
    assertThat(reducer.status.getStateString()).isEqualTo("30 / 30 copied.");
    assertThat(reducer.copyPhase.toString())
        .contains("succeeded at ")
        .contains("Aggregated copy rate(30 of 30 at ");
  }

  @Test
  void emptyOutputs() throws Exception {
    sorts(segments(0, 0));
  }

  @Test
  void compressedOutputs() throws Exception {
    DefaultCodec codec = new DefaultCodec();
    codec.setConf(reducer.job);
    reducer.codec = codec;
    sorts(segments(10, 1000));
  }

  @Test
  void outputsTooLargeForMemoryGoToDisk() throws Exception {
    reducer.job.setLong("mapreduce.reduce.memory.totalbytes", 1 << 20);
    sorts(segments(300, 1000));
  }

  @Test
  void encryptedIntermediateData() throws Exception {
    reducer.job.setBoolean("mapreduce.job.encrypted-intermediate-data", true);
    UserGroupInformation user = UserGroupInformation.createRemoteUser("somebody");
    Credentials credentials = new Credentials();
    TokenCache.setEncryptedSpillKey(new byte[16], credentials);
    user.addCredentials(credentials);
    user.doAs(
        (PrivilegedExceptionAction<Boolean>)
            () -> {
              sorts(segments(10, 100));
              return true;
            });
    assertThat(reducer.counter("test", "shuffleBytes"))
        .as("without the 24 bytes that encryption adds to each output")
        .isEqualTo(new Segments(new JobConf(false), null, MAPS, 10, 100).totalBytes());
  }

  @Test
  void tightMemoryOnlyDelays() throws Exception {
    reducer.job.setLong("mapreduce.reduce.memory.totalbytes", 1 << 20);
    sorts(segments(100, 1000), "connection: keep-alive", "mission-control: 1");
  }

  @Test
  void keepAliveReusesConnections() throws Exception {
    reducer.job.setInt("mapreduce.mission-control.fetch.maps-per-batch", 2);
    reducer.job.setInt("mapreduce.reduce.shuffle.parallelcopies", 2);
    sorts(segments(2, 10), "connection: keep-alive", "mission-control: 1");
    assertThat(reducer.ours(JobCounter.PLAIN_FLOWS)).isBetween(1L, 4L);
  }

  @Test
  void oneFlowGoesToAHostAsWithStock() throws Exception {
    reducer.job.setInt("mapreduce.mission-control.fetch.maps-per-batch", 2);
    assertThat(mostFlowsAtOnce(1)).isEqualTo(1);
  }

  @Test
  void severalFlowsGoToAHostWhenTheJobWantsThem() throws Exception {
    reducer.job.setInt("mapreduce.mission-control.fetch.flows-per-map-host", 3);
    assertThat(mostFlowsAtOnce(3)).isEqualTo(3);
  }

  /** Serves nothing before so many requests are there at the same time. */
  private int mostFlowsAtOnce(int expected) throws Exception {
    Segments segments = segments(1, 1);
    CountDownLatch together = new CountDownLatch(expected);
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    MapOutputServer.Script script =
        request -> {
          most.accumulateAndGet(now.incrementAndGet(), Math::max);
          together.countDown();
          try {
            together.await();
          } catch (InterruptedException e) {
            throw new InterruptedIOException();
          }
          now.decrementAndGet();
          return MapOutputServer.ok(request, MapOutputServer.good(request, segments).bytes());
        };
    try (MapOutputServer server = new MapOutputServer(script)) {
      reducer.mapsSucceeded(server.port(), 0, MAPS);
      assertThat(reducer.keys()).isEqualTo(segments.keys());
    }
    return most.get();
  }

  @Test
  void outputsOfSeveralHosts() throws Exception {
    Segments segments = segments(5, 50);
    MapOutputServer.Script script =
        request -> MapOutputServer.ok(request, MapOutputServer.good(request, segments).bytes());
    try (MapOutputServer one = new MapOutputServer(script);
        MapOutputServer two = new MapOutputServer(script)) {
      reducer.mapsSucceeded(one.port(), 0, 10);
      reducer.mapsSucceeded(two.port(), 10, MAPS);
      assertThat(reducer.keys()).isEqualTo(segments.keys());
      assertThat(one.requests).isNotEmpty();
      assertThat(two.requests).isNotEmpty();
    }
  }

  @Test
  void theRequestIsStocksWithOurParameters() throws Exception {
    reducer.job.set("mapreduce.mission-control.transport", "no-such-cc");
    Segments segments = segments(1, 1);
    try (MapOutputServer server =
        new MapOutputServer(
            request ->
                MapOutputServer.ok(
                    request,
                    MapOutputServer.good(request, segments).bytes(),
                    "mission-control: 1",
                    "mission-control-transport-refused: not here",
                    "connection: close"))) {
      reducer.mapsSucceeded(server.port(), 0, MAPS);
      assertThat(reducer.keys()).isEqualTo(segments.keys());
      assertThat(server.requests)
          .allSatisfy(
              request -> {
                assertThat(request.uri())
                    .startsWith("/mapOutput?job=job_1700000000000_0001&reduce=1&map=attempt_")
                    .endsWith(
                        "&keepAlive=true&mission-control=1"
                            + "&mission-control-transport=no-such-cc");
                assertThat(request.header("name")).isEqualTo("mapreduce");
                assertThat(request.header("version")).isEqualTo("1.0.0");
                assertThat(request.header("UrlHash"))
                    .isEqualTo(JobHash.of(server.port() + request.uri(), ReducerFixture.SECRET));
              });
      assertThat(reducer.ours(JobCounter.TRANSPORT_REFUSED_CLIENT))
          .isEqualTo(server.requests.size());
      assertThat(reducer.ours(JobCounter.TRANSPORT_REFUSED_SERVER))
          .isEqualTo(server.requests.size());
    }
  }

  @Test
  void whatTheHandshakeDidNotGiveIsNotAskedOfTheServerToo() throws Exception {
    reducer.job.set("mapreduce.mission-control.transport", "mptcp");
    Segments segments = segments(1, 1);
    try (MapOutputServer server =
        new MapOutputServer(
            request ->
                MapOutputServer.ok(
                    request,
                    MapOutputServer.good(request, segments).bytes(),
                    "mission-control: 1",
                    "connection: close"))) {
      reducer.mapsSucceeded(server.port(), 0, MAPS);
      assertThat(reducer.keys()).isEqualTo(segments.keys());
      assertThat(server.requests)
          .isNotEmpty()
          .allSatisfy(request -> assertThat(request.uri()).doesNotContain("transport"));
      assertThat(reducer.ours(JobCounter.TRANSPORT_REFUSED_CLIENT))
          .isEqualTo(server.requests.size());
    }
  }

  @Test
  void anUmbilicalThatFailsEndsTheReducer() {
    reducer.umbilicalFailure = new IOException("no master");
    assertThatThrownBy(reducer::run)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("error in shuffle in mission-control-events")
        .hasMessageContaining("too many failures downloading events");
  }

  @Test
  void aLocalDiskThatFailsEndsTheReducer() throws Exception {
    reducer.job.setLong("mapreduce.reduce.memory.totalbytes", 1 << 20);
    reducer.job.set("mapreduce.cluster.local.dir", "/proc/no-such-directory");
    Segments segments = segments(300, 1000);
    try (MapOutputServer server =
        new MapOutputServer(
            request ->
                MapOutputServer.ok(request, MapOutputServer.good(request, segments).bytes()))) {
      reducer.mapsSucceeded(server.port(), 0, MAPS);
      assertThatThrownBy(reducer::run)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("error in shuffle in mission-control-copier");
    }
  }

  @Test
  void anInterruptEndsTheReducer() throws Exception {
    Thread thread = Thread.currentThread();
    Thread killer =
        new Thread(
            () -> {
              await().until(() -> !ReducerFixture.shuffleThreads().isEmpty());
              thread.interrupt();
            });
    killer.start();
    assertThatThrownBy(reducer::run).isInstanceOf(InterruptedException.class);
    killer.join();
  }

  @Test
  void aFailedMapTaskIsNotWaitedFor() throws Exception {
    reducer.job.setNumMapTasks(2);
    Segments two = new Segments(reducer.job, null, 2, 3, 10);
    try (MapOutputServer server =
        new MapOutputServer(
            request -> MapOutputServer.ok(request, MapOutputServer.good(request, two).bytes()))) {
      reducer.mapsSucceeded(server.port(), 0, 1);
      reducer.mapEnded(1, TaskCompletionEvent.Status.TIPFAILED);
      assertThat(reducer.keys()).isEqualTo(List.of(0, 2, 4));
    }
  }
}
