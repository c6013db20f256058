/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import javax.crypto.SecretKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.missioncontrol.scheduler.control.Announcement;
import org.missioncontrol.scheduler.control.ControlReply;
import org.missioncontrol.scheduler.control.ControlRequest;
import org.missioncontrol.scheduler.control.ControlServer;
import org.missioncontrol.scheduler.control.ControlServers;
import org.missioncontrol.scheduler.control.RecordingRegistry;
import org.missioncontrol.scheduler.control.Secrets;
import org.missioncontrol.scheduler.control.TransferDescriptor;

/** Both ends of the control messages over a real connection. */
class ControlExchangeTest {
  private static final String JOB = "job_1700000000000_0007";
  private static final SecretKey SECRET = Secrets.key("secret");
  private static final TransferDescriptor TRANSFER =
      new TransferDescriptor(2, JOB, "ann", "q", "HIGH", "shuffle", 17, 3, 99, 2, "cubic");
  private static final Announcement MESSAGE = Announcement.now(TRANSFER, null);

  private final RecordingRegistry registry = new RecordingRegistry();
  private final ControlServer server = ControlServers.of(new Secrets().with(JOB, SECRET), registry);
  private final AtomicReference<ControlRequest> seen = new AtomicReference<>();
  private final HttpExchange http = new HttpExchange(null);
  private FakeNodeManager nodeManager;

  @BeforeEach
  void start() throws IOException {
    nodeManager =
        new FakeNodeManager(
            request -> {
              seen.set(request);
              return server.handle(request);
            });
  }

  @AfterEach
  void stop() {
    nodeManager.close();
    http.close();
  }

  @Test
  void anAnnouncementAndAWithdrawalReachTheRegistry() {
    ControlClient client = client(SECRET, 1);
    assertThat(client.announce(nodeManager.node(), MESSAGE).join())
        .isInstanceOfSatisfying(
            Outcome.Accepted.class,
            accepted ->
                assertThat(accepted.answer().view().transfers().get(0).share()).isEqualTo(5));
    assertThat(registry.announced()).containsExactly(TRANSFER);
    assertThat(client.withdraw(nodeManager.node(), JOB).join())
        .isInstanceOf(Outcome.Accepted.class);
    assertThat(registry.withdrawn()).containsExactly(JOB);
  }

  @Test
  void aForgedMessageIsRefused() {
    assertThat(client(Secrets.key("guess"), 1).announce(nodeManager.node(), MESSAGE).join())
        .isEqualTo(new Outcome.Failed("HTTP status 401", "HTTP status 401"));
    assertThat(registry.announced()).isEmpty();
  }

  @Test
  void aReplayedMessageIsRefused() throws IOException {
    client(SECRET, 1).announce(nodeManager.node(), MESSAGE).join();
    assertThat(send(nodeManager.node(), seen.get()).status()).isEqualTo(409);
    assertThat(registry.announced()).hasSize(1);
  }

  @Test
  void aLaterAttemptTakesOverAndTheEarlierOneIsRefused() {
    ControlClient first = client(SECRET, 1);
    first.announce(nodeManager.node(), MESSAGE).join();
    assertThat(client(SECRET, 2).announce(nodeManager.node(), MESSAGE).join())
        .isInstanceOf(Outcome.Accepted.class);
    assertThat(first.announce(nodeManager.node(), MESSAGE).join())
        .isEqualTo(new Outcome.Failed("HTTP status 409", "HTTP status 409"));
  }

  @Test
  void aMessageOfAnotherJobIsRefused() throws IOException {
    client(SECRET, 1).announce(nodeManager.node(), MESSAGE).join();
    ControlRequest good = seen.get();
    ControlRequest stolen =
        new ControlRequest(
            good.method(),
            good.path(),
            good.receiver(),
            "job_1_0001",
            "9",
            good.signature(),
            good.body());
    assertThat(send(nodeManager.node(), stolen).status()).isEqualTo(401);
  }

  @Test
  void anOversizedMessageIsRefused() throws IOException {
    ControlRequest big =
        new ControlRequest(
            "PUT", "/missionControl/v1/transfer", "n:1", JOB, "1", "x", "x".repeat(70_000));
    assertThat(send(nodeManager.node(), big).status()).isEqualTo(413);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 404, 405})
  void whatAStockHandlerAnswersIsKnownAsSuch(int status) throws IOException {
    try (FakeNodeManager stock = FakeNodeManager.always(new ControlReply(status, "no", null))) {
      assertThat(client(SECRET, 1).announce(stock.node(), MESSAGE).join())
          .isEqualTo(new Outcome.Stock(status));
    }
  }

  @Test
  void aReplyThatIsNotSignedWithTheSecretIsNotBelieved() throws IOException {
    ControlServer impostor =
        ControlServers.of(new Secrets().with(JOB, Secrets.key("other")), registry);
    try (FakeNodeManager other =
        new FakeNodeManager(
            request ->
                impostor
                    .handle(request)
                    .thenApply(reply -> new ControlReply(200, "{}", reply.signature())))) {
      assertThat(client(SECRET, 1).announce(other.node(), MESSAGE).join())
          .isInstanceOfSatisfying(
              Outcome.Failed.class, failed -> assertThat(failed.kind()).isEqualTo("signature"));
    }
  }

  @Test
  void anEndlessReplyIsCutOff() throws IOException {
    try (FakeNodeManager chatty =
        FakeNodeManager.always(new ControlReply(200, "x".repeat(2 << 20), null))) {
      assertThatIOException()
          .isThrownBy(
              () ->
                  send(
                      chatty.node(),
                      new ControlRequest(
                          "DELETE", "/missionControl/v1/transfer", "n:1", JOB, "1", "x", "")))
          .withMessageContaining("Response entity too large");
    }
  }

  @Test
  void aNodeManagerThatIsDeafOrGoneIsAFailureWithinTheTimeout() throws IOException {
    ControlClient client = new ControlClient(http, new SequenceNumbers(1, 0), () -> SECRET, 100);
    Node gone;
    try (ServerSocket deaf = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      gone = new Node("127.0.0.1", deaf.getLocalPort());
      assertThat(client.announce(gone, MESSAGE).join())
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              failed ->
                  assertThat(failed.kind()).isEqualTo(SocketTimeoutException.class.getName()));
    }
    assertThat(client.announce(gone, MESSAGE).join()).isInstanceOf(Outcome.Failed.class);
  }

  @Test
  void withoutASecretNothingIsSent() {
    assertThat(client(null, 1).announce(nodeManager.node(), MESSAGE).join())
        .isInstanceOf(Outcome.Failed.class);
    assertThat(nodeManager.requests()).isZero();
  }

  private ControlClient client(SecretKey secret, int attempt) {
    return new ControlClient(
        http, new SequenceNumbers(attempt, 1_700_000_000_000L), () -> secret, 5000);
  }

  private ControlReply send(Node node, ControlRequest request) throws IOException {
    try {
      return http.exchange(node, request, 5000).join();
    } catch (CompletionException e) {
      throw new IOException(e.getCause().toString(), e);
    }
  }
}
