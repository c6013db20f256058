/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.missioncontrol.shuffle.cli.ExplanationTest.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.missioncontrol.shuffle.status.StatusJson;
import org.missioncontrol.shuffle.status.StatusReport;

/** The command against a NodeManager and a ResourceManager that the test plays. */
class MissionControlCliTest {
  private static final StatusReport HOST =
      ExplanationTest.host(10, job(1, 2f, 20, 7), job(2, 1f, 20, 3));

  @TempDir Path directory;
  private final Configuration conf = new Configuration(false);
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private HttpServer server;
  private String node;

  @BeforeEach
  void start() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    node = "127.0.0.1:" + server.getAddress().getPort();
    serve("/missionControl/v1/status", 200, StatusJson.write(HOST));
    serve(
        "/ws/v1/cluster/nodes",
        200,
        "{'nodes':{'node':[{'id':'127.0.0.1:1','nodeHostName':'127.0.0.1'}]}}".replace('\'', '"'));
    server.start();
    conf.setInt("mapreduce.shuffle.port", server.getAddress().getPort());
    conf.set("yarn.resourcemanager.webapp.address", node);
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void statusShowsHostsAndJobsOfEveryNodeThatTheResourceManagerLists() {
    assertThat(run("status")).isZero();
    assertThat(out.toString(UTF_8))
        .containsPattern("HOST +IN USE +BUDGET")
        .containsPattern(node + " +10 +10 +30 +2 +0 +0 +fair +cubic reno")
        .containsPattern(node + " +job_1_0001 +alice +shuffle +reno +- +2 +7 +7 +13 ");
    assertThat(err.toString(UTF_8)).isEmpty();
  }

  @Test
  void statusAsJsonIsTheReportOfEachNode() throws Exception {
    assertThat(run("status", "--json", node)).isZero();
    JsonNode json = new ObjectMapper().readTree(out.toString(UTF_8));
    assertThat(json.at("/0/node").asText()).isEqualTo(node);
    assertThat(json.at("/0/report/jobs/1/share").asInt()).isEqualTo(3);
  }

  @Test
  void aNodeThatIsAwayIsNamedAndTheOthersAreShown() {
    assertThat(run("status", node, "127.0.0.1:1")).isEqualTo(1);
    assertThat(out.toString(UTF_8)).contains("job_1_0002");
    assertThat(err.toString(UTF_8)).contains("127.0.0.1:1 does not listen");
  }

  @Test
  void aNodeWhoseStatusIsSwitchedOffSaysSo() {
    server.removeContext("/missionControl/v1/status");
    serve("/missionControl/v1/status", 404, "the status is switched off (key)");
    assertThat(run("status", node)).isEqualTo(1);
    assertThat(err.toString(UTF_8)).contains("answers 404: the status is switched off (key)");
  }

  @Test
  void whatIsNoStatusIsSaidToBeNone() {
    server.removeContext("/missionControl/v1/status");
    serve("/missionControl/v1/status", 200, "<html>");
    assertThat(run("status", node)).isEqualTo(1);
    assertThat(err.toString(UTF_8)).contains("same version");
  }

  @Test
  void withoutAResourceManagerItSaysWhatToDo() {
    assertThat(run("status", "--rm", "127.0.0.1:1")).isEqualTo(1);
    assertThat(err.toString(UTF_8)).contains("http://127.0.0.1:1", "--rm URL", "HOST[:PORT]");
  }

  @Test
  void watchLooksAsOftenAsItIsToldAndShowsSpeeds() {
    assertThat(run("watch", node, "--count", "2", "--interval", "0.1")).isZero();
    assertThat(out.toString(UTF_8).split("HOST +IN USE", -1)).hasSize(3);
  }

  @Test
  void explainSaysWhy() throws Exception {
    assertThat(run("explain", "job_1_0002", node)).isZero();
    assertThat(out.toString(UTF_8)).contains("holds 3 flows and may hold 3", "twice that weight");
    out.reset();
    assertThat(run("explain", "application_1_0002", node, "--json")).isZero();
    assertThat(new ObjectMapper().readTree(out.toString(UTF_8)).at("/0/computedShare").asInt())
        .isEqualTo(3);
  }

  @Test
  void explainSaysThatNoHostHasTheJob() {
    assertThat(run("explain", "job_1_0404", node)).isEqualTo(1);
    assertThat(err.toString(UTF_8)).contains("job_1_0404", "missioncontrol status lists");
  }

  @Test
  void checkNamesEachMistakeByLineAndKey() throws Exception {
    Path right = Files.writeString(directory.resolve("a.properties"), "policy = fifo\n");
    assertThat(run("check", right.toString())).isZero();
    assertThat(out.toString(UTF_8)).contains("is right: policy fifo");

    Path wrong =
        Files.writeString(directory.resolve("b.properties"), "\npolicy = best\nusr.a.weight=1\n");
    assertThat(run("check", wrong.toString())).isEqualTo(1);
    assertThat(err.toString(UTF_8)).contains("line 2: policy", "line 3: usr.a.weight");
    assertThat(run("check", directory.resolve("none").toString())).isEqualTo(1);
    assertThat(err.toString(UTF_8)).contains("cannot be read");
  }

  @ParameterizedTest
  @CsvSource({
    "fly,no command fly",
    "explain,needs the id of a job",
    "explain job_x,not the id of a job",
    "status --weight 3,takes no --weight",
    "status --colour,Unrecognized option",
    "status a/b,not a HOST",
    "status n --port x,--port is not a number",
    "status n --timeout 0,--timeout is not between",
    "check,takes one file"
  })
  void aWrongCommandLineIsSaidToBeWrong(String line, String sentence) {
    assertThat(run(line.split(" "))).isEqualTo(2);
    assertThat(err.toString(UTF_8)).startsWith("missioncontrol: ").contains(sentence);
  }

  @Test
  void helpNamesEveryCommand() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString(UTF_8)).contains("status", "watch", "explain", "set", "check");
    assertThat(run()).isEqualTo(2);
  }

  private int run(String... arguments) {
    return MissionControlCli.run(
        arguments, conf, new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
  }

  private void serve(String path, int status, String body) {
    server.createContext(
        path,
        exchange -> {
          byte[] bytes = body.getBytes(UTF_8);
          exchange.sendResponseHeaders(status, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
  }
}
