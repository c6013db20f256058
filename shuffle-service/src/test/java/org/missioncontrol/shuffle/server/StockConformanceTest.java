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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.missioncontrol.conf.ServerConfig;
import org.missioncontrol.scheduler.security.JobHash;
import org.missioncontrol.shuffle.server.RawClient.Reply;

/** Asks Hadoop's own handler and ours the same and compares every byte of the answers. */
class StockConformanceTest {
  private static final int BIG = 300_000;
  private static final String OUTPUT = "/mapOutput?job=" + MapOutputs.JOB;

  @TempDir private static Path dir;
  private static MapOutputs outputs;
  private static StockServer stock;
  private static ShuffleServer ours;
  private static StockServer stockKeepAlive;
  private static ShuffleServer oursKeepAlive;

  @BeforeAll
  static void serve() throws IOException {
    outputs = new MapOutputs(dir);
    for (int map = 0; map < 40; map++) {
      outputs.write(
          map,
          MapOutputs.bytes(6, map),
          MapOutputs.bytes(20_000 + map, map),
          new byte[0],
          MapOutputs.bytes(BIG, map));
    }
    outputs.write(90, MapOutputs.bytes(6, 1));
    Files.delete(outputs.data(90));
    outputs.write(91, MapOutputs.bytes(6, 1));
    Files.delete(outputs.index(91));
    outputs.write(92, MapOutputs.bytes(6, 1));
    byte[] index = Files.readAllBytes(outputs.index(92));
    index[3] ^= 1;
    Files.write(outputs.index(92), index);
    stock = new StockServer(conf(), outputs);
    ours = ours(conf());
    stockKeepAlive = new StockServer(keepAliveConf(), outputs);
    oursKeepAlive = ours(keepAliveConf());
  }

  @AfterAll
  static void stop() {
    stock.close();
    ours.close();
    stockKeepAlive.close();
    oursKeepAlive.close();
  }

  static Stream<Arguments> requests() {
    return Stream.of(
        served("one small output", OUTPUT + "&reduce=0&map=" + attempt(1)),
        served("one output by sendfile", OUTPUT + "&reduce=3&map=" + attempt(1)),
        served("an empty partition", OUTPUT + "&reduce=2&map=" + attempt(1)),
        served("several outputs", OUTPUT + "&reduce=3&map=" + maps(0, 20)),
        served("more outputs than are held open", OUTPUT + "&reduce=1&map=" + maps(0, 40)),
        served("one output twice", OUTPUT + "&reduce=0&map=" + attempt(1) + "," + attempt(1)),
        served("repeated map=", OUTPUT + "&reduce=0&map=" + maps(0, 2) + "&map=" + maps(5, 9)),
        served("another path", "/x?job=" + MapOutputs.JOB + "&reduce=0&map=" + attempt(1)),
        served("unknown parameters", OUTPUT + "&reduce=0&dag=1&map=" + attempt(1)),
        served("keepAlive=true", OUTPUT + "&reduce=0&keepAlive=true&map=" + attempt(1)),
        served("keepAlive=no", OUTPUT + "&reduce=0&keepAlive=no&map=" + attempt(1)),
        served(
            "keepAlive twice",
            OUTPUT + "&reduce=0&keepAlive=true&keepAlive=true&map=" + attempt(1)),
        served("no map", OUTPUT + "&reduce=0"),
        served("no reduce", OUTPUT + "&map=" + attempt(1)),
        served("no job", "/mapOutput?reduce=0&map=" + attempt(1)),
        served("two jobs", OUTPUT + "&job=x&reduce=0&map=" + attempt(1)),
        served("two reduces", OUTPUT + "&reduce=0&reduce=1&map=" + attempt(1)),
        served("a reduce that is no number", OUTPUT + "&reduce=x&map=" + attempt(1)),
        served("an unknown job", "/mapOutput?job=job_1_2&reduce=0&map=" + attempt(1)),
        served("too long a request line", OUTPUT + "&reduce=0&map=" + maps(0, 200)),
        raw("a wrong hash", port -> request("GET", "bm90IHRoZSBoYXNo")),
        raw(
            "POST",
            port -> request("POST", "x").replace("\r\n\r\n", "\r\nContent-Length: 0\r\n\r\n")),
        raw("no hash", port -> request("GET", "x").replace("UrlHash: x\r\n", "")),
        raw("a wrong version", port -> request("GET", "x").replace("1.0.0", "1.0.1")),
        raw("no name", port -> request("GET", "x").replace("name: mapreduce\r\n", "")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("requests")
  void answersLikeTheStockHandler(String name, Function<Integer, String> request)
      throws IOException {
    compare(request, stock.port(), ours.port());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("requests")
  void answersLikeTheStockHandlerThatKeepsConnections(
      String name, Function<Integer, String> request) throws IOException {
    compare(request, stockKeepAlive.port(), oursKeepAlive.port());
  }

  @Test
  void answersSeveralRequestsOnAKeptConnectionLikeTheStockHandler() throws IOException {
    try (RawClient theirs = new RawClient(stockKeepAlive.port());
        RawClient mine = new RawClient(oursKeepAlive.port())) {
      for (int map = 0; map < 5; map++) {
        String uri = OUTPUT + "&reduce=3&map=" + maps(map, map + 3);
        assertSame(
            theirs.send(RawClient.get(stockKeepAlive.port(), uri)).reply(),
            mine.send(RawClient.get(oursKeepAlive.port(), uri)).reply());
      }
    }
  }

  @Test
  void missingAndBadOutputsHaveTheStockStatusAndNameNoPath() throws IOException {
    for (int map : new int[] {90, 91, 92, 99}) {
      String uri = OUTPUT + "&reduce=0&map=" + attempt(1) + "," + attempt(map);
      try (RawClient theirs = new RawClient(stock.port());
          RawClient mine = new RawClient(ours.port())) {
        Reply expected = theirs.send(RawClient.get(stock.port(), uri)).reply();
        Reply actual = mine.send(RawClient.get(ours.port(), uri)).reply();
        assertThat(actual.status()).isEqualTo(expected.status()).contains("500");
        assertThat(actual.headers().keySet())
            .containsExactlyElementsOf(expected.headers().keySet());
        assertThat(actual.text())
            .contains(attempt(map))
            .doesNotContain(dir.toString(), "usercache");
        assertThat(mine.closed()).isTrue();
      }
    }
  }

  @Test
  void theConnectionBeyondTheLimitIsRefusedLikeTheStockHandlerDoes() throws IOException {
    Configuration limited = conf();
    limited.setInt("mapreduce.shuffle.max.connections", 1);
    String uri = OUTPUT + "&reduce=0&keepAlive=true&map=" + attempt(1);
    try (StockServer theirs = new StockServer(limited, outputs);
        ShuffleServer mine = ours(limited);
        RawClient first = new RawClient(theirs.port());
        RawClient mineFirst = new RawClient(mine.port())) {
      assertSame(
          first.send(RawClient.get(theirs.port(), uri)).reply(),
          mineFirst.send(RawClient.get(mine.port(), uri)).reply());
      try (RawClient second = new RawClient(theirs.port());
          RawClient mineSecond = new RawClient(mine.port())) {
        Reply expected = second.reply();
        assertThat(expected.status()).contains("429");
        assertSame(expected, mineSecond.reply());
        assertThat(mineSecond.closed()).isTrue();
      }
    }
  }

  private static void compare(Function<Integer, String> request, int stockPort, int ourPort)
      throws IOException {
    try (RawClient theirs = new RawClient(stockPort);
        RawClient mine = new RawClient(ourPort)) {
      Reply expected = theirs.send(request.apply(stockPort)).reply();
      Reply actual = mine.send(request.apply(ourPort)).reply();
      assertSame(expected, actual);
      boolean kept = "Keep-Alive".equals(expected.headers().get("connection"));
      assertThat(kept || theirs.closed()).isTrue();
      assertThat(kept || mine.closed()).isTrue();
    }
  }

  /** The reply's hash depends on the port, so it is taken out. */
  private static void assertSame(Reply expected, Reply actual) {
    assertThat(withoutHash(actual.head())).isEqualTo(withoutHash(expected.head()));
    assertThat(actual.cut()).isFalse();
    assertThat(actual.body()).isEqualTo(expected.body());
  }

  private static String withoutHash(String head) {
    return head.replaceAll("ReplyHash: \\S+", "ReplyHash: -");
  }

  @Test
  void theReplyProvesTheSecret() throws IOException {
    String uri = OUTPUT + "&reduce=0&map=" + attempt(1);
    String hash = JobHash.of(ours.port() + uri, Secrets.KEY);
    try (RawClient client = new RawClient(ours.port())) {
      Reply reply = client.send(RawClient.request("GET", uri, hash)).reply();
      assertThat(reply.headers()).containsEntry("replyhash", JobHash.of(hash, Secrets.KEY));
    }
  }

  private static Arguments served(String name, String uri) {
    return raw(
        name,
        port -> {
          try {
            return RawClient.get(port, uri);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
  }

  private static Arguments raw(String name, Function<Integer, String> request) {
    return Arguments.of(name, request);
  }

  private static String request(String method, String hash) {
    return RawClient.request(method, OUTPUT + "&reduce=0&map=" + attempt(1), hash);
  }

  private static String maps(int from, int to) {
    return String.join(
        ",",
        Stream.iterate(from, map -> map < to, map -> map + 1).map(MapOutputs::attempt).toList());
  }

  private static Configuration conf() {
    Configuration conf = new Configuration(false);
    conf.setInt("mapreduce.shuffle.port", 0);
    return conf;
  }

  private static Configuration keepAliveConf() {
    Configuration conf = conf();
    conf.setBoolean("mapreduce.shuffle.connection-keep-alive.enable", true);
    conf.setInt("mapreduce.shuffle.connection-keep-alive.timeout", 1000);
    return conf;
  }

  private static ShuffleServer ours(Configuration conf) throws IOException {
    return Servers.start(ServerConfig.from(conf), outputs, new Counts());
  }
}
