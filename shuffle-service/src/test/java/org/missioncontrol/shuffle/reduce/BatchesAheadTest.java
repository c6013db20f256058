/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.missioncontrol.shuffle.reduce.MapOutputServer.KEEP;
import static org.missioncontrol.shuffle.reduce.MapOutputServer.OURS;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.missioncontrol.shuffle.reduce.MapOutputServer.Request;

/** One flow and batches of one map output; each reply ends only when a test lets it. */
@Timeout(60)
class BatchesAheadTest {
  private static final int MAPS = 4;
  private static final int EVENT_LOOP_READS = 0;
  private static final int COPIER_READS = 1;

  @TempDir Path directory;
  private ReducerFixture reducer;
  private Segments segments;

  @BeforeEach
  void setUp() {
    reducer = new ReducerFixture(directory, MAPS);
    reducer.job.setInt("mapreduce.reduce.shuffle.parallelcopies", 1);
    reducer.job.setInt("mapreduce.mission-control.fetch.maps-per-batch", 1);
    segments = new Segments(reducer.job, null, MAPS, 5, 100);
  }

  /** Bytes of a reply from which on a copier reads it from the socket itself; 0: never. */
  private void reads(int copierReadsFrom) {
    reducer.job.setInt("mapreduce.mission-control.fetch.copier-reads-from-bytes", copierReadsFrom);
  }

  private byte[] good(Request request) throws IOException {
    return MapOutputServer.goodOfOurs(request, segments);
  }

  @ParameterizedTest
  @ValueSource(ints = {EVENT_LOOP_READS, COPIER_READS})
  void theNextBatchIsAskedForBeforeTheLastHasEnded(int copierReadsFrom) throws Exception {
    reads(copierReadsFrom);
    try (MapOutputServer server = new MapOutputServer(this::good)) {
      server.endsWhen(reply -> server.requests.size() >= Math.min(MAPS, reply.number() + 2));
      reducer.mapsSucceeded(server.port(), 0, MAPS);
      assertThat(reducer.keys()).isEqualTo(segments.keys());
      assertThat(server.requests).hasSize(MAPS);
    }
    assertThat(reducer.ours(JobCounter.BATCHES_AHEAD)).isEqualTo(MAPS - 1);
    assertThat(reducer.ours(JobCounter.PLAIN_FLOWS)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {EVENT_LOOP_READS, COPIER_READS})
  void aServerWithoutTheExtensionIsAskedForOneBatchAtATime(int copierReadsFrom) throws Exception {
    reads(copierReadsFrom);
    MapOutputServer.Script stock =
        request ->
            MapOutputServer.ok(request, MapOutputServer.good(request, segments).bytes(), KEEP);
    try (MapOutputServer server = new MapOutputServer(stock)) {
      reducer.mapsSucceeded(server.port(), 0, MAPS);
      assertThat(reducer.keys()).isEqualTo(segments.keys());
    }
    assertThat(reducer.ours(JobCounter.BATCHES_AHEAD)).isZero();
    assertThat(reducer.ours(JobCounter.PLAIN_FLOWS)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {EVENT_LOOP_READS, COPIER_READS})
  void aBatchAskedForBehindABrokenReplyIsFetchedAgainAndNotBlamed(int copierReadsFrom)
      throws Exception {
    reads(copierReadsFrom);
    AtomicInteger answered = new AtomicInteger();
    MapOutputServer.Script cutsTheFirst =
        request -> {
          if (answered.getAndIncrement() > 0) {
            return good(request);
          }
          byte[] body = MapOutputServer.good(request, segments).bytes();
          byte[] half = Arrays.copyOf(body, body.length / 2);
          return MapOutputServer.reply("200 OK", request.replyHash(), half, body.length, OURS);
        };
    List<Request> requests;
    try (MapOutputServer server = new MapOutputServer(cutsTheFirst)) {
      server.endsWhen(reply -> reply.number() > 0 || server.requests.size() > 1);
      reducer.mapsSucceeded(server.port(), 0, MAPS);
      assertThat(reducer.keys()).isEqualTo(segments.keys());
      requests = List.copyOf(server.requests);
    }
    assertThat(reducer.error("IO_ERROR")).isEqualTo(1);
    assertThat(reducer.status.reported)
        .noneMatch(attempt -> attempt.toString().equals(requests.get(1).maps().get(0)));
  }
}
