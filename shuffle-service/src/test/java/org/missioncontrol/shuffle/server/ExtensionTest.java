/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.missioncontrol.shuffle.server.MapOutputs.attempt;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.missioncontrol.shuffle.server.RawClient.Reply;
import org.missioncontrol.shuffle.wire.MapOutputHeader;
import org.missioncontrol.shuffle.wire.MapOutputHeader.Failure;
import org.missioncontrol.transport.Channels;

class ExtensionTest {
  private static final String OURS = "/mapOutput?job=" + MapOutputs.JOB + "&mission-control=1";

  @TempDir private Path dir;
  private MapOutputs outputs;
  private final Counts counts = new Counts();
  private ShuffleServer server;

  @BeforeEach
  void serve() throws IOException {
    outputs = new MapOutputs(dir);
    for (int map = 0; map < 5; map++) {
      outputs.write(
          map, MapOutputs.bytes(10, map), MapOutputs.bytes(50_000, map), new byte[0], new byte[3]);
    }
    server = Servers.start(Servers.config(), outputs, counts);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void outputsThatCannotBeSentFailAloneAndByName() throws IOException {
    Files.delete(outputs.data(1));
    byte[] index = Files.readAllBytes(outputs.index(2));
    index[index.length - 1] ^= 1;
    Files.write(outputs.index(2), index);
    try (RandomAccessFile data = new RandomAccessFile(outputs.data(3).toFile(), "rw")) {
      data.setLength(50_009);
    }
    try (RawClient client = new RawClient(server.port())) {
      String climbing = "..%2f..%2f" + attempt(0);
      Reply reply =
          fetch(client, OURS + "&reduce=1&map=" + climbing + "," + maps(0, 1, 2, 3, 4, 9));
      assertThat(reply.status()).isEqualTo("HTTP/1.1 200 OK");
      assertThat(reply.headers())
          .containsEntry("mission-control", "1")
          .containsEntry("connection", "Keep-Alive");
      Body body = new Body(reply.body());
      assertFailed(body, "../../" + attempt(0), Failure.MISSING);
      assertSent(body, 0);
      assertFailed(body, attempt(1), Failure.MISSING);
      assertFailed(body, attempt(2), Failure.BAD_INDEX);
      assertFailed(body, attempt(3), Failure.TRUNCATED);
      assertSent(body, 4);
      assertFailed(body, attempt(9), Failure.MISSING);
      assertThat(body.isRead()).isTrue();
      assertThat(counts.of(ServerCounter.OUTPUTS_FAILED)).isEqualTo(5);
      // The connection is kept although the stock key says no.
      assertSent(new Body(fetch(client, OURS + "&reduce=1&map=" + attempt(0)).body()), 0);
    }
  }

  @Test
  void aPartitionBeyondTheIndexOrAnIndexOutOfRangeFailsByName() throws IOException {
    outputs.writeIndex(1, new long[] {-1, 10, 10});
    outputs.writeIndex(2, new long[] {0, 10, Long.MAX_VALUE});
    outputs.writeIndex(3, new long[] {1, 10, Long.MAX_VALUE});
    try (RawClient client = new RawClient(server.port())) {
      Body beyond = new Body(fetch(client, OURS + "&reduce=4&map=" + attempt(0)).body());
      assertThat(beyond.header().failure()).isEqualTo(Failure.BAD_INDEX);
      Body body = new Body(fetch(client, OURS + "&reduce=0&map=" + maps(1, 2, 3)).body());
      assertThat(body.header().failure()).isEqualTo(Failure.BAD_INDEX);
      assertThat(body.header().failure()).isEqualTo(Failure.TRUNCATED);
      assertThat(body.header().failure()).isEqualTo(Failure.BAD_INDEX);
    }
  }

  @Test
  void aStockClientGetsOneErrorForTheBatch() throws IOException {
    Files.delete(outputs.data(1));
    try (RawClient client = new RawClient(server.port())) {
      String uri = "/mapOutput?job=" + MapOutputs.JOB + "&reduce=1&map=" + maps(0, 1);
      Reply reply = fetch(client, uri);
      assertThat(reply.status()).contains("500");
      assertThat(reply.text()).isEqualTo("Map output " + attempt(1) + " is not on this host");
      assertThat(counts.of(ServerCounter.REQUESTS_FAILED)).isEqualTo(1);
    }
  }

  @Test
  void aRangeOfPartitionsComesAsCountHeadersAndOnePieceOfBytes() throws IOException {
    try (RawClient client = new RawClient(server.port())) {
      Body body = new Body(fetch(client, OURS + "&reduce=0-3&map=" + maps(0, 1)).body());
      for (int map = 0; map < 2; map++) {
        assertThat(body.count()).isEqualTo(4);
        int[] lengths = {10, 50_000, 0, 3};
        for (int reduce = 0; reduce < 4; reduce++) {
          assertThat(body.header())
              .isEqualTo(
                  new MapOutputHeader(attempt(map), lengths[reduce], 2L * lengths[reduce], reduce));
        }
        assertThat(body.bytes(50_013)).isEqualTo(Files.readAllBytes(outputs.data(map)));
      }
      assertThat(body.isRead()).isTrue();
    }
  }

  @Test
  void aRangeWithAGapInTheIndexIsRefused() throws IOException {
    outputs.writeIndex(0, new long[] {0, 5, 5}, new long[] {6, 5, 5});
    try (RawClient client = new RawClient(server.port())) {
      Body body = new Body(fetch(client, OURS + "&reduce=0-1&map=" + attempt(0)).body());
      assertThat(body.count()).isEqualTo(2);
      assertThat(body.header().failure()).isEqualTo(Failure.BAD_INDEX);
      assertThat(body.header().failure()).isEqualTo(Failure.BAD_INDEX);
      assertThat(body.isRead()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"3-1", "0-1000", "-1", "0-", "1-2-3", "99999999999-1"})
  void aRangeThatIsNoneOrTooLongIsRefused(String range) throws IOException {
    try (RawClient client = new RawClient(server.port())) {
      Reply reply = fetch(client, OURS + "&reduce=" + range + "&map=" + attempt(0));
      assertThat(reply.status()).contains("400");
      assertThat(reply.text()).isEqualTo("Bad reduce parameter");
    }
  }

  @Test
  void theWantedTransportIsSetBeforeTheReplyAndReadBack() throws IOException {
    Channels channels = Servers.channels();
    for (String name : new String[] {"reno", "cubic"}) {
      assumeTrue(channels.capabilities().congestionControls().contains(name));
      try (RawClient client = new RawClient(server.port())) {
        Reply reply =
            fetch(client, OURS + "&mission-control-transport=" + name + "&reduce=0&map=" + maps(0));
        assertThat(reply.headers())
            .containsEntry("mission-control-transport-used", name)
            .doesNotContainKey("mission-control-transport-refused");
        fetch(client, OURS + "&reduce=1&map=" + maps(0));
        assertThat(server.served())
            .singleElement()
            .usingRecursiveComparison()
            .ignoringFields("kernel")
            .isEqualTo(
                new ServedConnection(
                    MapOutputs.JOB,
                    "127.0.0.1:" + client.localPort(),
                    name,
                    name,
                    0,
                    50_010,
                    false,
                    null,
                    null));
      }
      org.awaitility.Awaitility.await().until(() -> server.served().isEmpty());
    }
    assertThat(counts.of(ServerCounter.TRANSPORTS_APPLIED)).isEqualTo(2);
  }

  @Test
  void aKeptConnectionGoesBackToTheHostsDefaultWhenItIsAskedTo() throws IOException {
    Channels channels = Servers.channels();
    String standard = channels.capabilities().defaultCongestionControl();
    String other = standard.equals("reno") ? "cubic" : "reno";
    assumeTrue(channels.capabilities().congestionControls().contains(other));
    try (RawClient client = new RawClient(server.port())) {
      String ask = OURS + "&reduce=0&map=" + maps(0) + "&mission-control-transport=";
      assertThat(fetch(client, ask + other).headers())
          .containsEntry("mission-control-transport-used", other);
      assertThat(fetch(client, ask + "default").headers())
          .containsEntry("mission-control-transport-used", standard);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"nosuch", "Not%20a%0d%0aname"})
  void aTransportThatTheHostLacksIsRefusedAndTheOutputsAreSent(String name) throws IOException {
    try (RawClient client = new RawClient(server.port())) {
      String used =
          fetch(client, OURS + "&mission-control-transport=default&reduce=0&map=" + maps(0))
              .headers()
              .get("mission-control-transport-used");
      Reply reply =
          fetch(client, OURS + "&mission-control-transport=" + name + "&reduce=1&map=" + maps(0));
      assertThat(reply.headers()).containsEntry("mission-control-transport-used", used);
      assertThat(reply.headers().get("mission-control-transport-refused")).contains("transport");
      assertSent(new Body(reply.body()), 0);
      assertThat(server.served()).singleElement().extracting("refusal").isNotNull();
      assertThat(counts.of(ServerCounter.TRANSPORTS_REFUSED)).isEqualTo(1);
    }
  }

  @Test
  void requestsSentAtOnceAreAnsweredOneAfterTheOther() throws IOException {
    try (RawClient client = new RawClient(server.port())) {
      StringBuilder all = new StringBuilder();
      for (int map = 0; map < 5; map++) {
        all.append(RawClient.get(server.port(), OURS + "&reduce=1&map=" + attempt(map)));
      }
      client.send(all.toString());
      for (int map = 0; map < 5; map++) {
        assertSent(new Body(client.reply().body()), map);
      }
      assertSent(new Body(fetch(client, OURS + "&reduce=1&map=" + attempt(2)).body()), 2);
    }
  }

  @Test
  void controlMessagesAreAnsweredOnTheSamePortAndConnection() throws IOException {
    try (RawClient client = new RawClient(server.port())) {
      Reply reply =
          client
              .send("GET /missionControl/v1/status?x=1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
              .reply();
      assertThat(reply.status()).isEqualTo("HTTP/1.1 200 OK");
      assertThat(reply.text()).isEqualTo("{\"path\":\"/missionControl/v1/status\"}");
      assertThat(reply.headers())
          .containsEntry("content-type", "application/json")
          .containsEntry("mission-control-reply-signature", "signed");
      assertSent(new Body(fetch(client, OURS + "&reduce=1&map=" + attempt(2)).body()), 2);
      assertThat(counts.of(ServerCounter.CONTROL_MESSAGES)).isEqualTo(1);
    }
  }

  private Reply fetch(RawClient client, String uri) throws IOException {
    Reply reply = client.send(RawClient.get(server.port(), uri)).reply();
    assertThat(reply.cut()).isFalse();
    return reply;
  }

  private static void assertSent(Body body, int map) throws IOException {
    assertThat(body.header()).isEqualTo(new MapOutputHeader(attempt(map), 50_000, 100_000, 1));
    assertThat(body.bytes(50_000)).isEqualTo(MapOutputs.bytes(50_000, map));
  }

  private static void assertFailed(Body body, String attempt, Failure failure) throws IOException {
    assertThat(body.header()).isEqualTo(MapOutputHeader.failed(attempt, 1, failure));
  }

  private static String maps(int... maps) {
    return String.join(",", java.util.Arrays.stream(maps).mapToObj(MapOutputs::attempt).toList());
  }
}
