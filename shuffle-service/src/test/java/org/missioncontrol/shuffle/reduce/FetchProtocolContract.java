/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.missioncontrol.shuffle.reduce.MapOutputServer.KEEP;
import static org.missioncontrol.shuffle.reduce.MapOutputServer.OURS;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.missioncontrol.shuffle.reduce.MapOutputServer.Body;
import org.missioncontrol.shuffle.reduce.MapOutputServer.Request;
import org.missioncontrol.shuffle.wire.MapOutputHeader;

/**
 * A server that misbehaves, then behaves: the reducer notices, counts, recovers, is never fooled.
 */
@Timeout(60)
abstract class FetchProtocolContract {
  private static final int MAPS = 4;

  @TempDir Path directory;
  private ReducerFixture reducer;
  private Segments segments;

  @BeforeEach
  void setUp() {
    reducer = new ReducerFixture(directory, MAPS);
    reducer.job.setInt("mapreduce.reduce.shuffle.parallelcopies", 1);
    reducer.job.setInt(
        "mapreduce.mission-control.fetch.copier-reads-from-bytes", copierReadsFrom());
    segments = new Segments(reducer.job, null, MAPS, 5, 100);
  }

  /** Bytes of a reply from which on it is read by who wants it; 0: never. */
  abstract int copierReadsFrom();

  /** The server that misbehaves. */
  MapOutputServer server(MapOutputServer.Script script) throws IOException {
    return new MapOutputServer(script);
  }

  @AfterEach
  void noThreadIsLeft() {
    await()
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(() -> assertThat(ReducerFixture.shuffleThreads()).isEmpty());
  }

  /** Sorts all maps through a server that answers the first request by {@code first}. */
  private List<Request> sorts(MapOutputServer.Script first) throws Exception {
    AtomicInteger answered = new AtomicInteger();
    return sortsThrough(
        request -> answered.getAndIncrement() == 0 ? first.answer(request) : good(request));
  }

  final List<Request> sortsThrough(MapOutputServer.Script script) throws Exception {
    try (MapOutputServer server = server(script)) {
      reducer.mapsSucceeded(server.port(), 0, MAPS);
      assertThat(reducer.keys()).isEqualTo(segments.keys());
      assertThat(reducer.counter("test", "shuffledMaps")).isEqualTo(MAPS);
      return List.copyOf(server.requests);
    }
  }

  final byte[] good(Request request) throws IOException {
    return MapOutputServer.goodOfOurs(request, segments);
  }

  private Segments.Segment segment(String map) {
    return segments.of(MapOutputServer.number(map));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("org.missioncontrol.shuffle.reduce.BadBodies#all")
  void aBadBodyIsRefusedAndWhatCameBeforeKept(
      String name, String error, int reports, BadBodies.Second second) throws Exception {
    List<Request> requests =
        sorts(
            request -> {
              List<String> maps = request.maps();
              Body body = new Body().output(maps.get(0), segment(maps.get(0)));
              second.write(body, maps.get(1), segment(maps.get(1)));
              return MapOutputServer.ok(request, body.bytes(), OURS);
            });
    assertThat(reducer.error(error)).isEqualTo(1);
    assertThat(reducer.status.reported).hasSize(reports);
    assertThat(requests.stream().skip(1).flatMap(request -> request.maps().stream()))
        .hasSize(MAPS - 1)
        .doesNotContain(requests.get(0).maps().get(0));
  }

  static Stream<Arguments> badReplies() {
    return Stream.of(
        Arguments.of("wrong hash", reply("200 OK", "d3Jvbmc=", "mapreduce")),
        Arguments.of("401", reply("401 Unauthorized", "", "who are you?")),
        Arguments.of("400", reply("400 Bad Request", "", "what?")),
        Arguments.of(
            "no HTTP",
            (MapOutputServer.Script) r -> "hello\r\n\r\n".getBytes(StandardCharsets.UTF_8)),
        Arguments.of(
            "other version",
            (MapOutputServer.Script)
                r ->
                    new String(MapOutputServer.ok(r, new byte[0]), StandardCharsets.ISO_8859_1)
                        .replace("version: 1.0.0", "version: 2.0.0")
                        .getBytes(StandardCharsets.ISO_8859_1)));
  }

  private static MapOutputServer.Script reply(String status, String hash, String body) {
    return request ->
        MapOutputServer.reply(status, hash, body.getBytes(StandardCharsets.UTF_8), body.length());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("badReplies")
  void aHostThatIsNotTheJobsServerWaitsOutAPenaltyAndNoMapIsBlamed(
      String name, MapOutputServer.Script script) throws Exception {
    sorts(script);
    assertThat(reducer.error("IO_ERROR")).isEqualTo(1);
    assertThat(reducer.ours(JobCounter.HOST_PENALTIES)).isEqualTo(1);
    assertThat(reducer.status.reported).isEmpty();
    assertThat(reducer.counter("test", "failedShuffle")).isZero();
  }

  @Test
  void aBusyServerIsLeftAloneAsLongAsItSays() throws Exception {
    sorts(
        request ->
            MapOutputServer.reply(
                "429 Too Many Requests",
                "",
                new byte[0],
                0,
                "Retry-After: 30",
                "connection: close"));
    assertThat(reducer.error("IO_ERROR")).isZero();
    assertThat(reducer.ours(JobCounter.HOST_PENALTIES)).isZero();
  }

  @Test
  void aCutBodyCostsOneMapAtMost() throws Exception {
    sorts(
        request -> {
          byte[] body = MapOutputServer.good(request, segments).bytes();
          return MapOutputServer.reply(
              "200 OK", request.replyHash(), Arrays.copyOf(body, body.length - 5), body.length);
        });
    assertThat(reducer.error("IO_ERROR")).isEqualTo(1);
    assertThat(reducer.counter("test", "failedShuffle")).isEqualTo(1);
    assertThat(reducer.status.reported).hasSize(1);
  }

  @Test
  void withNodeManagerRecoveryACutBodyIsNotReported() throws Exception {
    reducer.job.setBoolean("yarn.nodemanager.recovery.enabled", true);
    sorts(request -> null);
    assertThat(reducer.error("IO_ERROR")).isEqualTo(1);
    assertThat(reducer.status.reported).isEmpty();
    assertThat(reducer.counter("test", "failedShuffle")).isZero();
  }

  @Test
  void aStalledServerIsGivenUpAfterTheReadTimeout() throws Exception {
    reducer.job.setInt("mapreduce.reduce.shuffle.read.timeout", 200);
    sorts(
        request -> {
          byte[] body = MapOutputServer.good(request, segments).bytes();
          return MapOutputServer.reply(
              "200 OK",
              request.replyHash(),
              Arrays.copyOf(body, body.length - 5),
              body.length,
              KEEP,
              OURS);
        });
    assertThat(reducer.error("IO_ERROR")).isEqualTo(1);
  }

  @Test
  void aStallIsBlamedOnTheOutputOnWhichItCame() throws Exception {
    reducer.job.setInt("mapreduce.reduce.shuffle.read.timeout", 200);
    List<Request> requests =
        sorts(
            request -> {
              byte[] whole = MapOutputServer.good(request, segments).bytes();
              String map = request.maps().get(0);
              Body first = new Body().output(map, segment(map));
              return MapOutputServer.reply(
                  "200 OK",
                  request.replyHash(),
                  Arrays.copyOf(whole, first.bytes().length),
                  whole.length,
                  KEEP,
                  OURS);
            });
    assertThat(reducer.status.reported).containsExactly(requests.get(0).maps().get(1));
    assertThat(requests.get(1).maps())
        .as("the others are asked for together")
        .hasSizeGreaterThan(1);
  }

  @Test
  void bytesBeyondTheBodyAreRefusedAfterAllHasBeenFetched() throws Exception {
    sorts(
        request -> {
          Body body = MapOutputServer.good(request, segments);
          return MapOutputServer.ok(request, body.raw(new byte[100]).bytes(), OURS);
        });
    assertThat(reducer.status.reported).isEmpty();
  }

  @Test
  void badDataFailsThatOutputAloneAndTheBatchGoesOn() throws Exception {
    List<Request> requests =
        sorts(
            request -> {
              Body body = new Body();
              for (String map : request.maps()) {
                byte[] bytes = segment(map).bytes().clone();
                if (MapOutputServer.number(map) == 1) {
                  bytes[10]++;
                }
                body.output(map, new Segments.Segment(bytes, segment(map).rawLength()));
              }
              return MapOutputServer.ok(request, body.bytes(), OURS, KEEP);
            });
    assertThat(reducer.error("IO_ERROR")).isEqualTo(1);
    assertThat(reducer.status.reported).containsExactly(ReducerFixture.attempt(1).id());
    assertThat(requests).hasSize(2);
    assertThat(requests.get(1).maps()).containsExactly(ReducerFixture.attempt(1).id());
    assertThat(reducer.ours(JobCounter.HOST_PENALTIES)).isZero();
  }

  @Test
  void anOutputRefusedByNameIsReportedAtEachRetryAndTheOthersAreFetched() throws Exception {
    AtomicInteger refusals = new AtomicInteger();
    List<Request> requests =
        sortsThrough(
            request -> {
              Body body = new Body();
              for (String map : request.maps()) {
                if (MapOutputServer.number(map) == 1 && refusals.getAndIncrement() < 3) {
                  body.failed(map, MapOutputHeader.Failure.MISSING);
                } else {
                  body.output(map, segment(map));
                }
              }
              return MapOutputServer.ok(request, body.bytes(), OURS, KEEP);
            });
    assertThat(reducer.status.reported).hasSize(3).containsOnly(ReducerFixture.attempt(1).id());
    assertThat(reducer.ours(JobCounter.MAPS_REFUSED)).isEqualTo(3);
    assertThat(requests).hasSize(4);
  }

  @Test
  void aRefusalFromAServerThatDoesNotSpeakOurExtensionIsAWrongLength() throws Exception {
    sorts(
        request ->
            MapOutputServer.ok(
                request,
                new Body().failed(request.maps().get(0), MapOutputHeader.Failure.MISSING).bytes()));
    assertThat(reducer.error("WRONG_LENGTH")).isEqualTo(1);
    assertThat(reducer.ours(JobCounter.MAPS_REFUSED)).isZero();
  }

  @Test
  void theCulpritOfAStockServersErrorIsFoundByAskingOneByOne() throws Exception {
    Set<String> gone = ConcurrentHashMap.newKeySet();
    gone.add(ReducerFixture.attempt(2).id());
    try (MapOutputServer server =
        server(
            request ->
                request.maps().stream().anyMatch(gone::contains)
                    ? MapOutputServer.reply("500 Internal Server Error", "", new byte[0], 0)
                    : MapOutputServer.ok(
                        request, MapOutputServer.good(request, segments).bytes()))) {
      reducer.mapsSucceeded(server.port(), 0, MAPS);
      Thread master =
          new Thread(
              () -> {
                await().until(() -> reducer.status.reported.size() >= 3);
                gone.clear();
              });
      master.start();
      assertThat(reducer.keys()).isEqualTo(segments.keys());
      master.join();
    }
    assertThat(reducer.status.reported).containsOnly(ReducerFixture.attempt(2).id());
  }

  @Test
  void anOutputThatIsMadeAnewIsFetchedFromItsNewHost() throws Exception {
    MapOutputServer.Script refusing =
        request -> {
          Body body = new Body();
          request.maps().forEach(map -> body.failed(map, MapOutputHeader.Failure.TRUNCATED));
          return MapOutputServer.ok(request, body.bytes(), OURS, KEEP);
        };
    try (MapOutputServer old = server(refusing);
        MapOutputServer fresh = server(this::good)) {
      reducer.mapsSucceeded(old.port(), 0, MAPS);
      Thread master =
          new Thread(
              () -> {
                await().until(() -> reducer.status.reported.size() >= MAPS);
                for (int map = 0; map < MAPS; map++) {
                  reducer.mapEnded(map, TaskCompletionEvent.Status.OBSOLETE);
                }
                reducer.mapsSucceeded(fresh.port(), 0, MAPS, 1);
              });
      master.start();
      assertThat(reducer.keys()).isEqualTo(segments.keys());
      master.join();
    }
  }

  @Test
  void aServerThatReturnsIsAskedAgainAtOnce() throws Exception {
    reducer.job.setBoolean("yarn.nodemanager.recovery.enabled", true);
    try (MapOutputServer server = server(this::good)) {
      server.refuse();
      reducer.mapsSucceeded(server.port(), 0, MAPS);
      Thread operator =
          new Thread(
              () -> {
                await().until(() -> reducer.error("CONNECTION") >= 3);
                server.reopen();
              });
      operator.start();
      assertThat(reducer.keys()).isEqualTo(segments.keys());
      operator.join();
    }
    assertThat(reducer.status.reported).isEmpty();
  }

  @Test
  void aConnectionThatTheServerClosedWhileIdleIsNobodysFault() throws Exception {
    reducer.job.setInt("mapreduce.mission-control.fetch.maps-per-batch", 1);
    AtomicInteger number = new AtomicInteger();
    sortsThrough(request -> number.incrementAndGet() == 2 ? null : good(request));
    assertThat(reducer.error("IO_ERROR")).isZero();
    assertThat(reducer.ours(JobCounter.HOST_PENALTIES)).isZero();
  }
}
