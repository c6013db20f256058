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

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.missioncontrol.scheduler.control.ControlProtocol;
import org.missioncontrol.scheduler.control.ControlReply;
import org.missioncontrol.scheduler.control.ControlRequest;
import org.missioncontrol.scheduler.control.Orders;
import org.missioncontrol.scheduler.control.TransferOrder;
import org.missioncontrol.scheduler.security.JobSecrets;
import org.missioncontrol.shuffle.status.StatusJson;

/** The command sends orders to the shipped class that takes them. */
class SetCommandTest {
  private static final String JOB = "job_1_0002";

  @TempDir Path directory;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private Path secret;
  private Orders orders;
  private HttpServer server;
  private String node;

  @BeforeEach
  void start() throws Exception {
    secret = Files.writeString(directory.resolve("secret"), "a secret of the operators");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    orders =
        new Orders(
            secret,
            new KnownJobs(),
            (job, order) -> "warp".equals(order.transport()) ? "this host has no warp" : null,
            job -> {},
            () -> System.currentTimeMillis() * 1000);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    node = "127.0.0.1:" + server.getAddress().getPort();
    server.createContext(
        "/",
        exchange -> {
          String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
          String path = exchange.getRequestURI().getPath();
          ControlReply reply =
              path.equals(ControlProtocol.STATUS_PATH)
                  ? new ControlReply(
                      200, StatusJson.write(ExplanationTest.host(10, job(2, 1f, 9, 3))), null)
                  : orders.handle(
                      new ControlRequest(
                          exchange.getRequestMethod(),
                          path,
                          node,
                          exchange.getRequestHeaders().getFirst(ControlProtocol.JOB_HEADER),
                          exchange.getRequestHeaders().getFirst(ControlProtocol.SEQUENCE_HEADER),
                          exchange.getRequestHeaders().getFirst(ControlProtocol.SIGNATURE_HEADER),
                          body));
          if (reply.signature() != null) {
            exchange
                .getResponseHeaders()
                .set(ControlProtocol.REPLY_SIGNATURE_HEADER, reply.signature());
          }
          byte[] bytes = reply.body().getBytes(UTF_8);
          exchange.sendResponseHeaders(reply.status(), bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void anOrderIsInForceAndSaidToBe() {
    assertThat(set(JOB, node, "--transport", "bbr", "--weight", "2.5")).isZero();
    assertThat(out.toString(UTF_8)).contains(JOB + ": weight 2.5, transport bbr; in force on");
    assertThat(orders.order(JOB)).isEqualTo(TransferOrder.of("bbr", 2.5f));

    assertThat(set(JOB, node)).isZero();
    assertThat(out.toString(UTF_8)).contains("as its keys say");
    assertThat(orders.order(JOB)).isEqualTo(TransferOrder.of(null, null));
  }

  @Test
  void aRefusalSaysWhoRefusesAndWhy() {
    assertThat(set(JOB, node, "--transport", "warp")).isEqualTo(1);
    assertThat(err.toString(UTF_8)).contains(node + " refuses (422): this host has no warp");
    assertThat(set("job_1_0404", node, "--weight", "2")).isEqualTo(1);
    assertThat(err.toString(UTF_8)).contains("(404): no job job_1_0404");
    assertThat(orders.order(JOB)).isNull();
  }

  @Test
  void withoutTheSecretNothingIsSent() throws Exception {
    assertThat(run("set", JOB, node, "--weight", "2")).isEqualTo(1);
    assertThat(err.toString(UTF_8))
        .contains("--secret-file", "mission-control.operator.secret-file");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(set(JOB, node, "--weight", "2")).isEqualTo(1);
    assertThat(err.toString(UTF_8)).contains("chmod 600");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("r--------"));
    Path other = Files.writeString(directory.resolve("other"), "another secret, not theirs");
    Files.setPosixFilePermissions(other, PosixFilePermissions.fromString("r--------"));
    assertThat(run("set", JOB, node, "--weight", "2", "--secret-file", other.toString()))
        .isEqualTo(1);
    assertThat(err.toString(UTF_8)).contains("(401)");
    assertThat(orders.order(JOB)).isNull();
  }

  @Test
  void aWrongWeightIsNotSent() {
    assertThat(set(JOB, node, "--weight", "-1")).isEqualTo(2);
    assertThat(set(JOB, node, node, "--weight", "1")).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("--weight is not between", "takes one HOST");
  }

  private int set(String... arguments) {
    String[] all = new String[arguments.length + 3];
    all[0] = "set";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    all[all.length - 2] = "--secret-file";
    all[all.length - 1] = secret.toString();
    return run(all);
  }

  private int run(String... arguments) {
    return MissionControlCli.run(
        arguments,
        new Configuration(false),
        new PrintStream(out, true, UTF_8),
        new PrintStream(err, true, UTF_8));
  }

  private static final class KnownJobs implements JobSecrets {
    @Override
    public @Nullable SecretKey secret(String job) {
      return job.equals(JOB) ? new SecretKeySpec(new byte[] {1}, "HmacSHA1") : null;
    }

    @Override
    public @Nullable String user(String job) {
      return job.equals(JOB) ? "alice" : null;
    }
  }
}
