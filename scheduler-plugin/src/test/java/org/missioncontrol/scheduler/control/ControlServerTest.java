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
  private static final SecretKey SECRET = Secrets.key("secret");

  private final Secrets secrets =
      new Secrets().with(JOB, SECRET).with(OTHER, Secrets.key("other secret"));
  private final RecordingRegistry registry = new RecordingRegistry();
  private final ControlServer server = new ControlServer(secrets, registry);

  @Test
  void anAnnouncementReachesTheRegistryAndTheReplyIsSigned() throws Exception {
    ControlReply reply = server.handle(put(JOB, "7", descriptor(JOB, "ann"), SECRET));
    assertThat(reply.status()).isEqualTo(200);
    assertThat(JobHash.matches(reply.signature(), "7\n" + reply.body(), SECRET)).isTrue();
    assertThat(ControlCodec.decodeHostView(reply.body()).budget()).isEqualTo(20);
    assertThat(registry.announced()).extracting(TransferDescriptor::job).containsExactly(JOB);
  }

  @Test
  void aDeletionWithdrawsTheTransfer() throws Exception {
    assertThat(server.handle(signed("DELETE", JOB, "7", "", SECRET)).status()).isEqualTo(200);
    assertThat(registry.withdrawn()).containsExactly(JOB);
  }

  @Test
  void theUserIsTheOneThatTheNodeManagerKnows() throws Exception {
    server.handle(put(JOB, "1", descriptor(JOB, "root"), SECRET));
    assertThat(registry.announced()).extracting(TransferDescriptor::user).containsExactly("ann");
  }

  @Test
  void anUnknownJobLooksLikeAWrongSignature() throws Exception {
    String unknown = "job_1_0009";
    ControlReply wrong = server.handle(put(JOB, "1", descriptor(JOB, "ann"), Secrets.key("no")));
    assertThat(wrong.status()).isEqualTo(401);
    assertThat(server.handle(put(unknown, "1", descriptor(unknown, "ann"), SECRET)))
        .isEqualTo(wrong);
    assertThat(server.handle(put("no job", "1", "", SECRET))).isEqualTo(wrong);
    assertThat(registry.announced()).isEmpty();
    assertThat(server.remembered()).isZero();
  }

  @Test
  void aMessageWithAnyPartExchangedIsRefused() throws Exception {
    ControlRequest good = put(JOB, "5", descriptor(JOB, "ann"), SECRET);
    String path = good.path();
    String signature = good.signature();
    assertThat(server.handle(new ControlRequest("DELETE", path, JOB, "5", signature, good.body())))
        .extracting(ControlReply::status)
        .isEqualTo(401);
    assertThat(server.handle(new ControlRequest("PUT", path, OTHER, "5", signature, good.body())))
        .extracting(ControlReply::status)
        .isEqualTo(401);
    assertThat(server.handle(new ControlRequest("PUT", path, JOB, "6", signature, good.body())))
        .extracting(ControlReply::status)
        .isEqualTo(401);
    assertThat(
            server.handle(new ControlRequest("PUT", path, JOB, "5", signature, good.body() + " ")))
        .extracting(ControlReply::status)
        .isEqualTo(401);
    assertThat(server.handle(new ControlRequest("PUT", path, JOB, "5", null, good.body())))
        .extracting(ControlReply::status)
        .isEqualTo(401);
    assertThat(server.handle(good).status()).isEqualTo(200);
  }

  @Test
  void aReplayIsRefusedUntilTheJobIsForgotten() throws Exception {
    ControlRequest message = put(JOB, "5", descriptor(JOB, "ann"), SECRET);
    assertThat(server.handle(message).status()).isEqualTo(200);
    assertThat(server.handle(message).status()).isEqualTo(409);
    assertThat(server.handle(put(JOB, "4", descriptor(JOB, "ann"), SECRET)).status())
        .isEqualTo(409);
    assertThat(server.handle(put(JOB, "6", descriptor(JOB, "ann"), SECRET)).status())
        .isEqualTo(200);
    assertThat(registry.announced()).hasSize(2);
    server.forget(JOB);
    assertThat(server.remembered()).isZero();
  }

  @Test
  void theSequenceOfAJobThatIsNoLongerKnownIsForgotten() throws Exception {
    server.handle(put(JOB, "5", descriptor(JOB, "ann"), SECRET));
    assertThat(server.remembered()).isEqualTo(1);
    secrets.remove(JOB);
    assertThat(server.handle(put(JOB, "6", descriptor(JOB, "ann"), SECRET)).status())
        .isEqualTo(401);
    assertThat(server.remembered()).isZero();
  }

  @Test
  void aTransferOfAnotherJobIsRefused() throws Exception {
    assertThat(server.handle(put(JOB, "1", descriptor(OTHER, "ann"), SECRET)).status())
        .isEqualTo(400);
    assertThat(registry.announced()).isEmpty();
  }

  @Test
  void aMalformedMessageIsRefused() throws Exception {
    assertThat(server.handle(put(JOB, "1", "{\"version\":1", SECRET)).status()).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "-1", "x", "+1", "1.0", "9999999999999999999", "12345678901234567890"})
  void aSequenceThatIsNoNumberIsRefused(String sequence) throws Exception {
    assertThat(server.handle(put(JOB, sequence, descriptor(JOB, "ann"), SECRET)).status())
        .isEqualTo(400);
  }

  @Test
  void anOversizedMessageIsRefusedAlsoWhenItsCharactersAreFew() throws Exception {
    String manyBytes = "\u20ac".repeat(ControlProtocol.MAX_BODY_BYTES / 3 + 1);
    assertThat(server.handle(put(JOB, "1", manyBytes, SECRET)).status()).isEqualTo(413);
    assertThat(server.handle(put(JOB, "1", " ".repeat(70_000), SECRET)).status()).isEqualTo(413);
  }

  @Test
  void anotherPathOrMethodIsRefused() throws Exception {
    assertThat(server.handle(signed("GET", JOB, "1", "", SECRET)).status()).isEqualTo(405);
    assertThat(
            server
                .handle(new ControlRequest("PUT", "/missionControl/v1/x", JOB, "1", "s", ""))
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
    ControlReply reply = failing.handle(put(JOB, "1", descriptor(JOB, "ann"), SECRET));
    assertThat(reply.status()).isEqualTo(500);
    assertThat(reply.body()).doesNotContain("inner matter");
  }

  @Test
  void aViewTooLongForAReplyIsCutDownToTheJobsOwnTransfer() throws Exception {
    HostView.TransferView own = new HostView.TransferView(JOB, 1, 1, 1, 1, 1);
    List<HostView.TransferView> many =
        new ArrayList<>(
            Collections.nCopies(20_000, new HostView.TransferView(OTHER, 1, 1, 1, 1, 1)));
    many.add(own);
    ControlServer crowded = serverWith(() -> new HostView(1, "fair", 20, 9, many, List.of()));
    ControlReply reply = crowded.handle(put(JOB, "1", descriptor(JOB, "ann"), SECRET));
    assertThat(ControlCodec.decodeHostView(reply.body()).transfers()).containsExactly(own);
  }

  private ControlServer serverWith(Supplier<HostView> views) {
    return new ControlServer(
        secrets,
        new TransferRegistry() {
          @Override
          public HostView announce(TransferDescriptor transfer) {
            return views.get();
          }

          @Override
          public HostView withdraw(String job) {
            return views.get();
          }
        });
  }

  private static String descriptor(String job, String user) throws ControlException {
    return ControlCodec.encode(
        new TransferDescriptor(
            1, job, user, "default", "NORMAL", "shuffle", 17, 3, 99, 2, "cubic"));
  }

  private static ControlRequest put(String job, String sequence, String body, SecretKey secret)
      throws IOException {
    return signed("PUT", job, sequence, body, secret);
  }

  private static ControlRequest signed(
      String method, String job, String sequence, String body, SecretKey secret)
      throws IOException {
    String path = ControlProtocol.TRANSFER_PATH;
    String message = String.join("\n", method, path, job, sequence, body);
    return new ControlRequest(method, path, job, sequence, JobHash.of(message, secret), body);
  }
}
