/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OrdersTest {
  private static final String JOB = "job_1700000000000_0001";
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final TransferOrder RENO = TransferOrder.of("reno", null);

  @TempDir Path directory;
  private final List<String> changed = new ArrayList<>();
  private final Secrets jobs = new Secrets().with(JOB, Secrets.key("secret"));
  private Path file;
  private OperatorClient operator;
  private Orders orders;

  @BeforeEach
  void secret() throws IOException {
    file = secretFile("of-operators", "a secret of sixteen bytes or more\n", "rw-------");
    operator = operator(file, NOW);
    orders = orders(file);
  }

  @Test
  void anOrderOfTheOperatorIsKeptUntilTheJobEnds() throws Exception {
    SignedOrder signed = operator.sign(JOB, RENO);
    ControlReply reply = orders.handle(put(signed));
    assertThat(reply.status()).isEqualTo(200);
    assertThat(orders.order(JOB)).isEqualTo(RENO);
    assertThat(orders.signed(JOB)).isEqualTo(signed);
    assertThat(changed).containsExactly(JOB);
    orders.forget(JOB);
    assertThat(orders.order(JOB)).isNull();
  }

  @Test
  void theNewerOrderReplacesTheOlderAndNeverTheOtherWayRound() throws Exception {
    SignedOrder older = operator.sign(JOB, RENO);
    SignedOrder newer = operator.sign(JOB, TransferOrder.of(null, 3f));
    assertThat(orders.handle(put(newer)).status()).isEqualTo(200);
    assertThat(orders.handle(put(older)).status()).isEqualTo(409);
    assertThat(orders.handle(put(newer)).status()).isEqualTo(409);
    orders.carried(JOB, older);
    assertThat(orders.order(JOB)).isEqualTo(TransferOrder.of(null, 3f));
  }

  @Test
  void aReplayThatIsOldIsRefusedAlsoWhereTheFirstWasNotSeen() throws Exception {
    SignedOrder old = operator(file, NOW.minus(Duration.ofMinutes(6))).sign(JOB, RENO);
    ControlReply reply = orders.handle(put(old));
    assertThat(reply.status()).isEqualTo(409);
    assertThat(reply.body()).contains("360 s", "replay");
    assertThat(orders.handle(put(operator(file, NOW.plusSeconds(301)).sign(JOB, RENO))).status())
        .isEqualTo(409);
  }

  @Test
  void whatAnApplicationMasterCarriesCountsOnlyIfTheOperatorSignedIt() throws Exception {
    SignedOrder old = operator(file, NOW.minus(Duration.ofDays(2))).sign(JOB, RENO);
    orders.carried(JOB, new SignedOrder(JOB, Long.MAX_VALUE, old.body(), old.signature()));
    orders.carried("job_1700000000000_0002", old);
    assertThat(orders.order(JOB)).isNull();
    orders.carried(JOB, old);
    assertThat(orders.order(JOB)).isEqualTo(RENO);
  }

  @Test
  void anOrderWithAnyPartExchangedIsRefused() throws Exception {
    SignedOrder good = operator.sign(JOB, RENO);
    String path = ControlProtocol.ORDERS_PATH;
    String sequence = Long.toString(good.sequence());
    List<ControlRequest> forged =
        List.of(
            request(path + "job_1700000000000_0002", sequence, good.signature(), good.body()),
            request(path + JOB, (good.sequence() + 1) + "", good.signature(), good.body()),
            request(path + JOB, sequence, good.signature(), good.body() + " "),
            request(path + JOB, sequence, null, good.body()),
            request(path + JOB, null, good.signature(), good.body()));
    assertThat(forged).allSatisfy(f -> assertThat(orders.handle(f).status()).isEqualTo(401));
    assertThat(orders.order(JOB)).isNull();
  }

  @Test
  void theSecretOfTheJobIsNotTheOperators() throws Exception {
    Path other = secretFile("other", "another secret, quite as long as it", "r--------");
    assertThat(orders.handle(put(operator(other, NOW).sign(JOB, RENO))).status()).isEqualTo(401);
  }

  @Test
  void aNodeManagerWithoutSecretTakesNoOrdersAndSaysWhichKey() throws Exception {
    ControlReply reply = orders(null).handle(put(operator.sign(JOB, RENO)));
    assertThat(reply.status()).isEqualTo(403);
    assertThat(reply.body()).contains("mission-control.operator.secret-file");
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r-----", "rw----r--", "rwx------"})
  void aSecretThatOthersMayKnowIsNotUsed(String mode) throws Exception {
    Path open = secretFile("open", "a secret of sixteen bytes or more", mode);
    assertThat(orders(open).handle(put(operator.sign(JOB, RENO))).status()).isEqualTo(403);
    assertThatThrownBy(() -> OperatorSecret.read(open))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(open.toString(), mode, "chmod 600");
  }

  @Test
  void aSecretThatIsMissingOrShortOrLongIsNotUsed() throws Exception {
    Path tooShort = secretFile("short", "  fifteen bytes!!  \n", "rw-------");
    Path tooLong = secretFile("long", "x".repeat(5000), "rw-------");
    for (Path bad : List.of(directory.resolve("none"), directory, tooShort, tooLong)) {
      assertThatThrownBy(() -> OperatorSecret.read(bad))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(bad.toString());
    }
  }

  @Test
  void anUnknownJobIsToldToTheOperatorAlone() throws Exception {
    String unknown = "job_1700000000000_0009";
    assertThat(orders.handle(put(operator.sign(unknown, RENO))).status()).isEqualTo(404);
    assertThat(orders.order(unknown)).isNull();
  }

  @Test
  void whatIsNotAllowedIsRefusedWithTheReason() throws Exception {
    ControlReply reply = orders.handle(put(operator.sign(JOB, TransferOrder.of(null, 99f))));
    assertThat(reply.status()).isEqualTo(422);
    assertThat(reply.body()).isEqualTo("99 is too much");
  }

  @Test
  void whatIsMalformedOrOversizedOrMisdirectedIsRefused() throws Exception {
    OperatorSecret secret = OperatorSecret.read(file);
    for (String body : List.of("", "{", "[]", "{\"version\":2}", "{\"version\":1,\"weight\":-1}")) {
      String sequence = Long.toString(operator.sign(JOB, RENO).sequence());
      String signature = secret.sign(SignedOrder.signed(JOB, sequence, body));
      assertThat(
              orders
                  .handle(request(ControlProtocol.ORDERS_PATH + JOB, sequence, signature, body))
                  .status())
          .as(body)
          .isEqualTo(400);
    }
    String path = ControlProtocol.ORDERS_PATH + JOB;
    assertThat(orders.handle(request(path, "1", "s", "x".repeat(2000))).status()).isEqualTo(413);
    assertThat(orders.handle(new ControlRequest("GET", path, null, JOB, "1", "s", "")).status())
        .isEqualTo(405);
  }

  private Orders orders(Path secretFile) {
    return new Orders(
        secretFile,
        jobs,
        (job, order) ->
            order.weight() != null && order.weight() > 10
                ? order.weight().intValue() + " is too much"
                : null,
        changed::add,
        () -> NOW.toEpochMilli() * 1000);
  }

  private Path secretFile(String name, String secret, String mode) throws IOException {
    Path made = Files.writeString(directory.resolve(name), secret);
    return Files.setPosixFilePermissions(made, PosixFilePermissions.fromString(mode));
  }

  private static OperatorClient operator(Path file, Instant now) throws IOException {
    return new OperatorClient(OperatorSecret.read(file), 1000, Clock.fixed(now, ZoneOffset.UTC));
  }

  private static ControlRequest put(SignedOrder order) {
    return request(
        ControlProtocol.ORDERS_PATH + order.job(),
        Long.toString(order.sequence()),
        order.signature(),
        order.body());
  }

  private static ControlRequest request(
      String path, String sequence, String signature, String body) {
    return new ControlRequest("PUT", path, null, JOB, sequence, signature, body);
  }
}
