/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.SecretKey;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.missioncontrol.scheduler.control.Announcement;
import org.missioncontrol.scheduler.control.ControlCodec;
import org.missioncontrol.scheduler.control.ControlProtocol;
import org.missioncontrol.scheduler.control.HostView;
import org.missioncontrol.scheduler.control.LocalPart;
import org.missioncontrol.scheduler.control.TransferDescriptor;
import org.missioncontrol.scheduler.security.JobHash;

/** An ApplicationMaster announces its transfer to the running service. */
class AnnounceTest {
  private static final String PATH = ControlProtocol.TRANSFER_PATH;

  @TempDir Path root;
  private ServiceRun run;

  @BeforeEach
  void start() throws Exception {
    run = ServiceRun.ours(root);
    run.addAlice();
  }

  @AfterEach
  void stop() {
    run.close();
  }

  @Test
  void aSignedTransferIsInTheStatusUntilTheJobEnds() throws Exception {
    HttpURLConnection reply = put("1", Jobs.SECRET);

    assertThat(reply.getResponseCode()).isEqualTo(200);
    String body = new String(reply.getInputStream().readAllBytes(), UTF_8);
    assertThat(
            JobHash.matches(
                reply.getHeaderField(ControlProtocol.REPLY_SIGNATURE_HEADER),
                ControlProtocol.signedReply("1", body),
                key(Jobs.SECRET)))
        .isTrue();
    HostView view = ControlCodec.decodeAnswer(body).view();
    assertThat(view.budget()).isEqualTo(12);
    assertThat(view.transfers()).extracting(HostView.TransferView::job).containsExactly(Jobs.ID);
    JsonNode job = status().at("/jobs/0");
    assertThat(job.at("/job").asText()).isEqualTo(Jobs.ID);
    assertThat(job.at("/weight").asDouble()).isEqualTo(3);
    assertThat(job.at("/announced").asBoolean()).isTrue();

    run.stopAlice();

    assertThat(status().at("/jobs")).isEmpty();
    assertThat(put("2", Jobs.SECRET).getResponseCode()).isEqualTo(401);
  }

  @Test
  void anApplicationMasterThatDiesWhileItsMessageWaitsCountsNoMoreAfterAWhile() throws Exception {
    run.close();
    Configuration conf = ServiceRun.conf(root);
    conf.setLong("mission-control.transfer.expiry-ms", 1000);
    run = ServiceRun.ours(root, conf);
    run.addAlice();
    String first = new String(put("1", Jobs.SECRET).getInputStream().readAllBytes(), UTF_8);
    String seen = ControlCodec.decodeAnswer(first).state();
    HttpURLConnection waiting =
        put("2", Jobs.SECRET, Announcement.poll(transfer(), null, seen, 60_000, 0));
    waiting.setReadTimeout(2500);
    assertThatThrownBy(waiting::getResponseCode).isInstanceOf(SocketTimeoutException.class);
    assertThat(status().at("/jobs/0/announced").asBoolean())
        .as("longer than the time to silence, while the message waits")
        .isTrue();

    waiting.disconnect();

    await().atMost(30, SECONDS).until(() -> !status().at("/jobs/0/announced").asBoolean());
  }

  @Test
  void aReplayAndAWrongSecretAreRefused() throws Exception {
    assertThat(put("7", Jobs.SECRET).getResponseCode()).isEqualTo(200);
    assertThat(put("7", Jobs.SECRET).getResponseCode()).isEqualTo(409);
    assertThat(put("8", "another secret").getResponseCode()).isEqualTo(401);
    assertThat(put("8", Jobs.SECRET).getResponseCode()).isEqualTo(200);
  }

  @Test
  void aJobThatEndedAndComesBackBeginsAgainWithItsSequence() throws Exception {
    assertThat(put("7", Jobs.SECRET).getResponseCode()).isEqualTo(200);
    run.stopAlice();
    run.addAlice();
    assertThat(put("1", Jobs.SECRET).getResponseCode()).isEqualTo(200);
  }

  @Test
  void theReplyTellsTheSizesOfTheMapOutputsThatLieHere() throws Exception {
    ServiceRun.outputs(root).write("attempt_1_0001_m_000000_0", "aaa", "b");
    ServiceRun.outputs(root).write("attempt_1_0001_m_000001_0", "cc", "");
    ServiceRun.outputs(root).write("attempt_1_0001_m_000001_1", "the same map", "again");
    TransferDescriptor question = transfer().with(new LocalPart(true, 0, Map.of()));
    AtomicInteger sequence = new AtomicInteger();
    await()
        .until(
            () -> view(put("" + sequence.incrementAndGet(), Jobs.SECRET, question)).stored(),
            stored -> stored != null && stored.outputs() == 2);
    assertThat(status().at("/jobs")).as("who only asks has no transfer here").isEmpty();
    TransferDescriptor knows = transfer().with(new LocalPart(true, 2, Map.of()));
    assertThat(view(put("" + sequence.incrementAndGet(), Jobs.SECRET, knows)).stored())
        .as("nothing new")
        .isNull();
  }

  private static HostView view(HttpURLConnection reply) throws Exception {
    String body = new String(reply.getInputStream().readAllBytes(), UTF_8);
    return ControlCodec.decodeAnswer(body).view();
  }

  private JsonNode status() throws IOException {
    return new ObjectMapper().readTree(run.client().get(ControlProtocol.STATUS_PATH));
  }

  private static TransferDescriptor transfer() {
    return new TransferDescriptor(
        ControlProtocol.VERSION,
        Jobs.ID,
        Jobs.USER,
        "default",
        "NORMAL",
        "shuffle",
        1,
        2,
        0,
        3,
        "default");
  }

  private HttpURLConnection put(String sequence, String secret) throws Exception {
    return put(sequence, secret, transfer());
  }

  private HttpURLConnection put(String sequence, String secret, TransferDescriptor transfer)
      throws Exception {
    return put(sequence, secret, Announcement.now(transfer, null));
  }

  private HttpURLConnection put(String sequence, String secret, Announcement announcement)
      throws Exception {
    String body = ControlCodec.encode(announcement);
    HttpURLConnection connection = run.client().open(PATH);
    connection.setRequestMethod("PUT");
    connection.setDoOutput(true);
    String receiver = connection.getURL().getAuthority();
    connection.setRequestProperty(ControlProtocol.RECEIVER_HEADER, receiver);
    connection.setRequestProperty(ControlProtocol.JOB_HEADER, Jobs.ID);
    connection.setRequestProperty(ControlProtocol.SEQUENCE_HEADER, sequence);
    connection.setRequestProperty(
        ControlProtocol.SIGNATURE_HEADER,
        JobHash.of(
            ControlProtocol.signedRequest(receiver, "PUT", PATH, Jobs.ID, sequence, body),
            key(secret)));
    connection.getOutputStream().write(body.getBytes(UTF_8));
    return connection;
  }

  private static SecretKey key(String secret) {
    return JobTokenSecretManager.createSecretKey(secret.getBytes(UTF_8));
  }
}
