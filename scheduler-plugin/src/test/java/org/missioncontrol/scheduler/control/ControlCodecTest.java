/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.missioncontrol.transport.HostTraits;
import org.missioncontrol.transport.MptcpLimits;

class ControlCodecTest {
  private static final TransferDescriptor TRANSFER =
      new TransferDescriptor(
              2,
              "job_1700000000000_0001",
              "ann",
              "root.a",
              "HIGH",
              "shuffle",
              17,
              3,
              1L << 40,
              2.5f,
              "cubic")
          .withSegments(4096L);

  private static final Announcement MESSAGE = Announcement.now(TRANSFER, null);

  @Test
  void aDescriptorComesBackAsItWentOut() throws ControlException {
    SignedOrder order = new SignedOrder("job_1700000000000_0001", 9, "{}", "signature");
    Announcement poll =
        Announcement.poll(
            TRANSFER.withFlight(3, "mptcp", Map.of("subflows", "2")), order, "state", 5000, 30);
    assertThat(ControlCodec.decodeAnnouncement(ControlCodec.encode(poll))).isEqualTo(poll);
    assertThat(ControlCodec.decodeAnnouncement(ControlCodec.encode(MESSAGE))).isEqualTo(MESSAGE);
  }

  @Test
  void aHostViewComesBackAsItWentOut() throws ControlException {
    HostView view =
        new HostView(
            2,
            "fifo",
            20,
            7,
            List.of(new HostView.TransferView("job_1_0002", 3, 2, 9, 5, 4)),
            List.of("reno", "cubic"));
    HostAnswer answer = HostAnswer.of("job_1_0002", view, null, "reno");
    assertThat(ControlCodec.encode(answer)).doesNotContain("traits");
    assertThat(ControlCodec.decodeAnswer(ControlCodec.encode(answer))).isEqualTo(answer);
    HostTraits traits =
        new HostTraits(
            List.of("bbr"),
            2,
            List.of("eth0"),
            true,
            new MptcpLimits(2, 1, 0, 3),
            "SunJCE AES-GCM");
    HostAnswer first = answer.with(traits);
    assertThat(ControlCodec.decodeAnswer(ControlCodec.encode(first))).isEqualTo(first);
  }

  @Test
  void whatConcernsOneHostComesBackAsItWentOut() throws ControlException {
    TransferDescriptor local =
        TRANSFER.with(new LocalPart(true, 3, Map.of("attempt_1_1_r_000001_0", 1L << 40)));
    Announcement message = Announcement.now(local, null);
    assertThat(ControlCodec.decodeAnnouncement(ControlCodec.encode(message))).isEqualTo(message);
    HostView view =
        new HostView(2, "fair", 20, 7, List.of(), List.of())
            .with(new StoredBytes(2, List.of(0L, 5L)));
    HostAnswer answer = HostAnswer.of("job_1_0002", view, null, null);
    assertThat(ControlCodec.decodeAnswer(ControlCodec.encode(answer))).isEqualTo(answer);
  }

  @Test
  void anOlderSenderHasNothingForOneHost() throws ControlException {
    String message = ControlCodec.encode(MESSAGE);
    String older = message.replaceFirst(",\"local\":\\{.*?\\}\\}", "");
    assertThat(older).isNotEqualTo(message);
    assertThat(ControlCodec.decodeAnnouncement(older)).isEqualTo(MESSAGE);
  }

  @Test
  void sizesOutOfBoundsAreRefused() throws ControlException {
    Map<String, Long> many =
        IntStream.rangeClosed(0, LocalPart.MAX_TASKS)
            .boxed()
            .collect(Collectors.toMap(i -> "r" + i, i -> 1L));
    assertThatExceptionOfType(ControlException.class)
        .isThrownBy(() -> ControlCodec.encode(told(new LocalPart(false, 0, many))))
        .withMessageContaining("too many tasks");
    assertThatExceptionOfType(ControlException.class)
        .isThrownBy(() -> ControlCodec.encode(told(new LocalPart(false, 0, Map.of("r", -1L)))))
        .withMessageContaining("wantedBytes");
    HostView view = new HostView(2, "fair", 20, 7, List.of(), List.of());
    String tooMany =
        answer(
            view.with(new StoredBytes(1, Collections.nCopies(StoredBytes.MAX_PARTITIONS + 1, 1L))));
    assertThatExceptionOfType(ControlException.class)
        .isThrownBy(() -> ControlCodec.decodeAnswer(tooMany))
        .withMessageContaining("too many partitions");
    String negative = answer(view.with(new StoredBytes(1, List.of(-1L))));
    assertThatExceptionOfType(ControlException.class)
        .isThrownBy(() -> ControlCodec.decodeAnswer(negative))
        .withMessageContaining("partitionBytes");
  }

  private static Announcement told(LocalPart part) {
    return Announcement.now(TRANSFER.with(part), null);
  }

  private static String answer(HostView view) throws ControlException {
    return ControlCodec.encode(HostAnswer.of("job_1_0002", view, null, null));
  }

  @Test
  void aFieldOfALaterVersionIsIgnored() throws ControlException {
    String later = ControlCodec.encode(MESSAGE).replaceFirst("\\{", "{\"later\":[[{}]],");
    assertThat(ControlCodec.decodeAnnouncement(later)).isEqualTo(MESSAGE);
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "\"version\":2        | \"version\":1           | version",
        "\"weight\":2.5       | \"weight\":0            | weight",
        "\"weight\":2.5       | \"weight\":-1           | weight",
        "\"weight\":2.5       | \"weight\":1000001      | weight",
        "\"weight\":2.5       | \"weight\":1e999        | weight",
        "\"weight\":2.5       | \"weight\":\"NaN\"      | weight",
        "\"weight\":2.5       | \"weight\":null         | JSON",
        "\"machines\":3       | \"machines\":-1         | machines",
        "\"machines\":3       | \"machines\":99999999999| JSON",
        "\"machines\":3       | \"machines\":\"3\"      | JSON",
        "\"bytesKnown\"       | \"bytesUnknown\"        | JSON",
        "\"bytesKnown\":1     | \"bytesKnown\":-1       | bytesKnown",
        "\"submitTimeMs\":17  | \"submitTimeMs\":-17    | submitTimeMs",
        "\"user\":\"ann\"     | \"user\":null           | user",
        "\"user\":\"ann\"     | \"user\":\"a\\u0000\"   | user",
        "\"user\":\"ann\"     | \"user\":{\"a\":1}      | JSON",
        "\"user\"             | \"queue\"               | JSON",
        "job_1700000000000_   | job_                    | job",
        "job_1700000000000_   | ../job_1_               | job",
        "\"waitMs\":0         | \"waitMs\":-1           | waitMs",
        "\"seen\":null        | \"seen\":\"\\u0000\"      | seen",
        "\"order\":null       | \"order\":{\"job\":3}   | JSON",
        "\"order\":null       | \"order\":{\"job\":\"x\",\"sequence\":1} | job",
        "\"parameters\":{}    | \"parameters\":{\"a\":\"\\u0000\"} | parameter",
        "\"transfer\"         | \"other\"               | transfer",
      })
  void aDescriptorOutOfBoundsIsRefused(String good, String bad, String named)
      throws ControlException {
    String message = ControlCodec.encode(MESSAGE);
    assertThat(message).contains(good);
    String broken = message.replace(good, bad.replace("\\u0000", "\\u0007"));
    assertThatExceptionOfType(ControlException.class)
        .isThrownBy(() -> ControlCodec.decodeAnnouncement(broken))
        .withMessageContaining(named);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "null", "[]", "3", "{", "{}", "{} {}", "\"a\"", "\u0000"})
  void whatIsNoMessageIsRefused(String body) {
    assertThatExceptionOfType(ControlException.class)
        .isThrownBy(() -> ControlCodec.decodeAnnouncement(body));
    assertThatExceptionOfType(ControlException.class)
        .isThrownBy(() -> ControlCodec.decodeAnswer(body));
  }

  @Test
  void deepNestingIsRefusedWithoutDeepRecursion() {
    String deep = "[".repeat(60_000);
    assertThatExceptionOfType(ControlException.class)
        .isThrownBy(() -> ControlCodec.decodeAnnouncement(deep));
    assertThatExceptionOfType(ControlException.class)
        .isThrownBy(() -> ControlCodec.decodeAnnouncement("{\"later\":" + deep));
  }

  @Test
  void longTextIsRefused() {
    assertThatExceptionOfType(ControlException.class)
        .isThrownBy(
            () -> ControlCodec.encode(Announcement.now(TRANSFER.withUser("u".repeat(257)), null)))
        .withMessageContaining("user");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"version\":9,\"policy\":\"fair\",\"budget\":1,\"inUse\":0,\"transfers\":[],\"congestionControls\":[]}",
        "{\"version\":2,\"policy\":\"fair\",\"budget\":-1,\"inUse\":0,\"transfers\":[],\"congestionControls\":[]}",
        "{\"version\":2,\"policy\":\"fair\",\"budget\":1,\"inUse\":0,\"congestionControls\":[]}",
        "{\"version\":2,\"policy\":\"fair\",\"budget\":1,\"inUse\":0,\"transfers\":[null],\"congestionControls\":[]}",
        "{\"version\":2,\"policy\":\"fair\",\"budget\":1,\"inUse\":0,\"transfers\":[],\"congestionControls\":[null]}",
        "{\"version\":2,\"budget\":1,\"inUse\":0,\"transfers\":[],\"congestionControls\":[]}",
      })
  void aHostViewOutOfBoundsIsRefused(String body) {
    assertThatExceptionOfType(ControlException.class)
        .isThrownBy(
            () ->
                ControlCodec.decodeAnswer("{\"version\":2,\"state\":\"s\",\"view\":" + body + "}"));
  }
}
