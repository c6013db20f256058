/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import javax.crypto.SecretKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.missioncontrol.scheduler.security.JobHash;

class ControlServerTest {
  private static final String JOB = "job_1700000000000_0001";
  private static final String OTHER = "job_1700000000000_0002";
  private static final String HERE = "node7:13562";
  private static final SecretKey SECRET = Secrets.key("secret");

  private final Secrets secrets =
      new Secrets().with(JOB, SECRET).with(OTHER, Secrets.key("other secret"));
  private final RecordingRegistry registry = new RecordingRegistry();
  private final ControlServer server = ControlServers.of(secrets, registry);

  @Test
  void anAnnouncementReachesTheRegistryAndTheReplyIsSigned() throws Exception {
    ControlReply reply = reply(server, put(JOB, "7", descriptor(JOB, "ann"), SECRET));
    assertThat(reply.status()).isEqualTo(200);
    assertThat(JobHash.matches(reply.signature(), "7\n" + reply.body(), SECRET)).isTrue();
    assertThat(ControlCodec.decodeAnswer(reply.body()).view().budget()).isEqualTo(20);
    assertThat(registry.announced()).extracting(TransferDescriptor::job).containsExactly(JOB);
  }

  @Test
  void aDeletionWithdrawsTheTransfer() throws Exception {
    assertThat(reply(server, signed("DELETE", JOB, "7", "", SECRET)).status()).isEqualTo(200);
    assertThat(registry.withdrawn()).containsExactly(JOB);
  }

  @Test
  void theUserIsTheOneThatTheNodeManagerKnows() throws Exception {
    reply(server, put(JOB, "1", descriptor(JOB, "root"), SECRET));
    assertThat(registry.announced()).extracting(TransferDescriptor::user).containsExactly("ann");
  }

  @Test
  void anUnknownJobLooksLikeAWrongSignature() throws Exception {
    String unknown = "job_1_0009";
    ControlReply wrong = reply(server, put(JOB, "1", descriptor(JOB, "ann"), Secrets.key("no")));
    assertThat(wrong.status()).isEqualTo(401);
    assertThat(reply(server, put(unknown, "1", descriptor(unknown, "ann"), SECRET)))
        .isEqualTo(wrong);
    assertThat(reply(server, put("no job", "1", "", SECRET))).isEqualTo(wrong);
    assertThat(registry.announced()).isEmpty();
    assertThat(server.remembered()).isZero();
  }

  @Test
  void aMessageWithAnyPartExchangedIsRefused() throws Exception {
    ControlRequest good = put(JOB, "5", descriptor(JOB, "ann"), SECRET);
    String path = good.path();
    String signature = good.signature();
    assertThat(
            reply(
                server, new ControlRequest("DELETE", path, HERE, JOB, "5", signature, good.body())))
        .extracting(ControlReply::status)
        .isEqualTo(401);
    assertThat(
            reply(
                server, new ControlRequest("PUT", path, HERE, OTHER, "5", signature, good.body())))
        .extracting(ControlReply::status)
        .isEqualTo(401);
    assertThat(
            reply(server, new ControlRequest("PUT", path, HERE, JOB, "6", signature, good.body())))
        .extracting(ControlReply::status)
        .isEqualTo(401);
    assertThat(
            reply(
                server,
                new ControlRequest("PUT", path, HERE, JOB, "5", signature, good.body() + " ")))
        .extracting(ControlReply::status)
        .isEqualTo(401);
    assertThat(reply(server, new ControlRequest("PUT", path, HERE, JOB, "5", null, good.body())))
        .extracting(ControlReply::status)
        .isEqualTo(401);
    assertThat(reply(server, good).status()).isEqualTo(200);
  }

  @Test
  void aMessageForAnotherNodeManagerIsRefusedAndChangesNothing() throws Exception {
    ControlServer elsewhere =
        new ControlServers()
            .server(secrets, "node8:13562"::equals, registry, ControlServers.none(secrets), 10);
    ControlRequest message = put(JOB, "5", descriptor(JOB, "ann"), SECRET);
    ControlReply refused = reply(elsewhere, message);
    assertThat(refused.status()).isEqualTo(421);
    assertThat(refused.body()).contains(HERE);
    ControlRequest relabelled =
        new ControlRequest(
            message.method(),
            message.path(),
            "node8:13562",
            JOB,
            "5",
            message.signature(),
            message.body());
    assertThat(reply(elsewhere, relabelled).status()).isEqualTo(401);
    assertThat(registry.announced()).isEmpty();
    assertThat(elsewhere.remembered()).isZero();
  }

  @Test
  void aMessageWithoutReceiverIsRefused() throws Exception {
    ControlRequest good = put(JOB, "5", descriptor(JOB, "ann"), SECRET);
    ControlRequest bare =
        new ControlRequest("PUT", good.path(), null, JOB, "5", good.signature(), good.body());
    assertThat(reply(server, bare).status()).isEqualTo(400);
  }

  @Test
  void aReplayIsRefusedUntilTheJobIsForgotten() throws Exception {
    ControlRequest message = put(JOB, "5", descriptor(JOB, "ann"), SECRET);
    assertThat(reply(server, message).status()).isEqualTo(200);
    assertThat(reply(server, message).status()).isEqualTo(409);
    assertThat(reply(server, put(JOB, "4", descriptor(JOB, "ann"), SECRET)).status())
        .isEqualTo(409);
    assertThat(reply(server, put(JOB, "6", descriptor(JOB, "ann"), SECRET)).status())
        .isEqualTo(200);
    assertThat(registry.announced()).hasSize(2);
    server.forget(JOB);
    assertThat(server.remembered()).isZero();
  }

  @Test
  void theSequenceOfAJobThatIsNoLongerKnownIsForgotten() throws Exception {
    reply(server, put(JOB, "5", descriptor(JOB, "ann"), SECRET));
    assertThat(server.remembered()).isEqualTo(1);
    secrets.remove(JOB);
    assertThat(reply(server, put(JOB, "6", descriptor(JOB, "ann"), SECRET)).status())
        .isEqualTo(401);
    assertThat(server.remembered()).isZero();
  }

  @Test
  void aTransferOfAnotherJobIsRefused() throws Exception {
    assertThat(reply(server, put(JOB, "1", descriptor(OTHER, "ann"), SECRET)).status())
        .isEqualTo(400);
    assertThat(registry.announced()).isEmpty();
  }

  @Test
  void aMalformedMessageIsRefused() throws Exception {
    assertThat(reply(server, put(JOB, "1", "{\"version\":1", SECRET)).status()).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "-1", "x", "+1", "1.0", "9999999999999999999", "12345678901234567890"})
  void aSequenceThatIsNoNumberIsRefused(String sequence) throws Exception {
    assertThat(reply(server, put(JOB, sequence, descriptor(JOB, "ann"), SECRET)).status())
        .isEqualTo(400);
  }

  @Test
  void anOversizedMessageIsRefusedAlsoWhenItsCharactersAreFew() throws Exception {
    String manyBytes = "\u20ac".repeat(ControlProtocol.MAX_BODY_BYTES / 3 + 1);
    assertThat(reply(server, put(JOB, "1", manyBytes, SECRET)).status()).isEqualTo(413);
    assertThat(reply(server, put(JOB, "1", " ".repeat(70_000), SECRET)).status()).isEqualTo(413);
  }

  @Test
  void anotherPathOrMethodIsRefused() throws Exception {
    assertThat(reply(server, signed("GET", JOB, "1", "", SECRET)).status()).isEqualTo(405);
    assertThat(
            reply(
                    server,
                    new ControlRequest("PUT", "/missionControl/v1/x", HERE, JOB, "1", "s", ""))
                .status())
        .isEqualTo(404);
  }

  @Test
  void aFailureInTheRegistryIsAnsweredAndTellsNothingToTheSender() throws Exception {
    ControlServer failing =
        serverWith(
            () -> {
              throw new IllegalStateException("inner matter");
            });
    ControlReply reply = reply(failing, put(JOB, "1", descriptor(JOB, "ann"), SECRET));
    assertThat(reply.status()).isEqualTo(500);
    assertThat(reply.body()).doesNotContain("inner matter");
  }

  @Test
  void aViewOfManyTransfersBeginsWithTheJobsOwnAndFitsIntoAReply() throws Exception {
    HostView.TransferView own = new HostView.TransferView(JOB, 1, 1, 1, 1, 1);
    List<HostView.TransferView> many =
        new ArrayList<>(
            Collections.nCopies(20_000, new HostView.TransferView(OTHER, 1, 1, 1, 1, 1)));
    many.add(own);
    ControlServer crowded = serverWith(() -> new HostView(2, "fair", 20, 9, many, List.of()));
    ControlReply reply = reply(crowded, put(JOB, "1", descriptor(JOB, "ann"), SECRET));
    assertThat(ControlCodec.decodeAnswer(reply.body()).view().transfers())
        .hasSize(HostAnswer.MAX_TRANSFERS)
        .startsWith(own);
  }

  private ControlServer serverWith(Supplier<HostView> views) {
    return ControlServers.of(
        secrets,
        new TransferRegistry() {
          @Override
          public HostView view() {
            return views.get();
          }

          @Override
          public HostView announce(TransferDescriptor transfer) {
            return views.get();
          }

          @Override
          public void waits(String job, long forMs) {
            // Nothing expires here.
          }

          @Override
          public HostView withdraw(String job) {
            return views.get();
          }
        });
  }

  private static ControlReply reply(ControlServer to, ControlRequest request) {
    return to.handle(request).join();
  }

  private static String descriptor(String job, String user) throws ControlException {
    return ControlCodec.encode(
        Announcement.now(
            new TransferDescriptor(
                2, job, user, "default", "NORMAL", "shuffle", 17, 3, 99, 2, "cubic"),
            null));
  }

  private static ControlRequest put(String job, String sequence, String body, SecretKey secret)
      throws IOException {
    return signed("PUT", job, sequence, body, secret);
  }

  private static ControlRequest signed(
      String method, String job, String sequence, String body, SecretKey secret)
      throws IOException {
    String path = ControlProtocol.TRANSFER_PATH;
    String message =
        String.join("\n", "mission-control 2", HERE, method, path, job, sequence, body);
    return new ControlRequest(method, path, HERE, job, sequence, JobHash.of(message, secret), body);
  }
}
