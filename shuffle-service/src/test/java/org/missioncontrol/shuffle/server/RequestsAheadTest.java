/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.missioncontrol.shuffle.server.MapOutputs.attempt;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.missioncontrol.shuffle.server.RawClient.Reply;

/** Requests that come before the reply to the one ahead of them has ended. */
@Timeout(60)
class RequestsAheadTest {
  private static final int MAPS = 4;
  private static final int SIZE = 3_000_000;
  private static final String PATH = "/mapOutput?mission-control=1&reduce=0&job=";
  private static final String OUTPUT = PATH + MapOutputs.JOB + "&map=";

  @TempDir private Path dir;
  private ShuffleServer server;

  @BeforeEach
  void serve() throws IOException {
    MapOutputs outputs = new MapOutputs(dir);
    for (int map = 0; map < MAPS; map++) {
      outputs.write(map, MapOutputs.bytes(SIZE, map));
    }
    server = Servers.start(Servers.config(), outputs, new Counts());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String get(int map) throws IOException {
    return RawClient.get(server.port(), OUTPUT + attempt(map));
  }

  private static void isWhole(Reply reply, int map) throws IOException {
    assertThat(reply.cut()).isFalse();
    Body body = new Body(reply.body());
    assertThat(body.header().mapId()).isEqualTo(attempt(map));
    assertThat(body.bytes(SIZE)).isEqualTo(MapOutputs.bytes(SIZE, map));
  }

  @Test
  void theyAreAnsweredWholeAndInTurn() throws IOException {
    try (RawClient client = new RawClient(server.port())) {
      client.send(get(0) + get(1) + get(2) + get(3));
      for (int map = 0; map < MAPS; map++) {
        isWhole(client.reply(), map);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"wrong hash", "another job", "unknown path"})
  void oneThatIsRefusedTakesNothingFromTheReplyAheadOfIt(String bad) throws IOException {
    String second =
        switch (bad) {
          case "wrong hash" -> RawClient.request("GET", OUTPUT + attempt(1), "d3Jvbmc=");
          case "another job" ->
              RawClient.get(server.port(), PATH + "job_1111111111111_0002&map=" + attempt(1));
          default -> RawClient.get(server.port(), "/etc/passwd");
        };
    try (RawClient client = new RawClient(server.port())) {
      client.send(get(0) + second + get(2));
      isWhole(client.reply(), 0);
      assertThat(client.reply().status()).matches("HTTP/1.1 4\\d\\d .*");
      assertThat(client.closed()).as("the third is not answered").isTrue();
    }
    try (RawClient other = new RawClient(server.port())) {
      isWhole(other.send(get(3)).reply(), 3);
    }
  }

  @Test
  void moreThanAnyReducerSendsEndTheConnectionAndHarmNoOther() throws IOException {
    try (RawClient greedy = new RawClient(server.port());
        RawClient other = new RawClient(server.port())) {
      greedy.send(get(0).repeat(40));
      isWhole(other.send(get(1)).reply(), 1);
      assertThat(repliesBeforeTheEnd(greedy)).isLessThan(40);
    }
  }

  private static int repliesBeforeTheEnd(RawClient client) {
    for (int whole = 0; ; whole++) {
      try {
        Reply reply = client.reply();
        if (reply.cut() || !reply.status().contains("200")) {
          return whole;
        }
      } catch (IOException e) {
        return whole;
      }
    }
  }
}
