/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.missioncontrol.shuffle.server.MapOutputs.attempt;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.missioncontrol.conf.ServerConfig;
import org.missioncontrol.shuffle.server.RawClient.Reply;
import org.missioncontrol.shuffle.store.LocalMapOutputStore;

/** Replies of many small outputs, whose bytes come from a memory that all replies share. */
@Timeout(60)
class SmallRepliesTest {
  private static final int MAPS = 80;
  private static final int SIZE = 3000;
  private static final int LARGE = 20 << 20;
  private static final int PORT = 13562;

  @TempDir private Path dir;
  private final Counts counts = new Counts();
  private MapOutputs outputs;
  private ProxiedServer server;

  @BeforeEach
  void start() throws Exception {
    outputs = new MapOutputs(dir);
    for (int map = 0; map < MAPS; map++) {
      outputs.write(map, MapOutputs.bytes(SIZE, map));
    }
    outputs.write(MAPS, MapOutputs.bytes(LARGE, MAPS));
    ServerConfig config = Servers.config();
    server =
        new ProxiedServer(
            config,
            new Secrets(),
            new LocalMapOutputStore(config, outputs::find, job -> true),
            counts,
            PORT);
  }

  @AfterEach
  void allMemoryIsBack() {
    await().untilAsserted(() -> assertThat(free()).isEqualTo(ProxiedServer.SMALL_BYTES));
    server.close();
  }

  private int free() {
    return server.freeSmallBytes();
  }

  private static String all(int maps) throws IOException {
    String attempts =
        IntStream.range(0, maps).mapToObj(MapOutputs::attempt).collect(Collectors.joining(","));
    return RawClient.get(
        PORT, "/mapOutput?job=" + MapOutputs.JOB + "&reduce=0&keepAlive=true&map=" + attempts);
  }

  private RawClient client() throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(32 << 10);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
    return new RawClient(socket);
  }

  @Test
  void everyByteComesHoweverManyTimesTheyAreAskedFor() throws IOException {
    try (RawClient client = client()) {
      for (int time = 0; time < 10; time++) {
        Reply reply = client.send(all(MAPS)).reply();
        assertThat(reply.cut()).isFalse();
        Body body = new Body(reply.body());
        for (int map = 0; map < MAPS; map++) {
          assertThat(body.header().mapId()).isEqualTo(attempt(map));
          assertThat(body.bytes(SIZE)).isEqualTo(MapOutputs.bytes(SIZE, map));
        }
      }
    }
  }

  @Test
  void clientsThatDoNotReadHaveTheSharedMemoryOnceAndTheOthersAreServedAllTheSame()
      throws IOException {
    List<RawClient> slow = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      slow.add(client().send(all(MAPS + 1)));
    }
    await().untilAsserted(() -> assertThat(free()).isZero());
    everyByteComesHoweverManyTimesTheyAreAskedFor();
    assertThat(free()).isZero();
    for (RawClient client : slow) {
      client.close();
    }
  }
}
